import { useState } from "react";
import { createRoot } from "react-dom/client";
import { useCombobox, useMultipleSelection } from "downshift";
import { app, state } from "./state.js";

const BOOKS = ["Emma", "Dracula", "Ulysses", "Middlemarch", "Walden", "Persuasion"];
const style = (on) => ({ background: on ? "#cde" : "#fff", padding: 4 });

function Several() {
  const [text, setText] = useState("");
  const { selectedItems, addSelectedItem, removeSelectedItem, getSelectedItemProps, getDropdownProps } = useMultipleSelection({ initialSelectedItems: ["Emma"] });
  const items = BOOKS.filter((name) => !selectedItems.includes(name) && name.toLowerCase().includes(text.toLowerCase()));
  const combo = useCombobox({ items, inputValue: text, selectedItem: null, onStateChange: ({ inputValue, type, selectedItem }) => {
    if (type === useCombobox.stateChangeTypes.InputChange) setText(inputValue);
    else if (selectedItem) { addSelectedItem(selectedItem); setText(""); }
  } });
  state.chosen = selectedItems;
  return <div><label {...combo.getLabelProps()}>Books</label>
    {selectedItems.map((item, index) => <span key={item} style={style(true)} {...getSelectedItemProps({ selectedItem: item, index })}>{item}
      <span style={{ cursor: "pointer" }} onClick={(event) => { event.stopPropagation(); removeSelectedItem(item); }}>✕</span></span>)}
    <input {...combo.getInputProps(getDropdownProps({ preventKeyAction: combo.isOpen }))} />
    <ul {...combo.getMenuProps()}>{combo.isOpen && items.map((item, index) =>
      <li key={item} style={style(combo.highlightedIndex === index)} {...combo.getItemProps({ item, index })}>{item}</li>)}</ul></div>;
}
createRoot(app).render(<Several />);
