import { createRoot } from "react-dom/client";
import { Button, Cascader, ColorPicker, DatePicker, Form, Input, InputNumber, Modal, Rate, Segmented, Select, Slider, Switch, Table, Transfer, TreeSelect } from "antd";
import { app, page, state } from "./state.js";

const keep = (name) => (value) => (state[name] = value);
const CITIES = Array.from({ length: 300 }, (_, index) => ({ value: index, label: `City ${index}` }));
const PLACES = [{ value: "it", label: "Italy", children: [{ value: "lazio", label: "Lazio", children: [{ value: "rome", label: "Rome" }] }] },
  { value: "no", label: "Norway", children: [{ value: "vest", label: "Vestland", children: [{ value: "bergen", label: "Bergen" }] }] }];
const tree = (nodes) => nodes.map(({ value, label, children }) => ({ value, title: label, children: children && tree(children) }));
const box = { width: 300 };
const PAGES = {
  choices: () => <Form layout="vertical" style={box}>
    <Form.Item label="Cities" htmlFor="cities"><Select id="cities" mode="multiple" options={CITIES} optionFilterProp="label" onChange={keep("cities")} /></Form.Item>
    <Form.Item label="Place" htmlFor="place"><Cascader id="place" options={PLACES} onChange={keep("place")} /></Form.Item>
    <Form.Item label="Region" htmlFor="region"><TreeSelect id="region" treeData={tree(PLACES)} onChange={keep("region")} /></Form.Item></Form>,
  values: () => <Form layout="vertical" style={box}>
    <Form.Item label="Amount" htmlFor="amount"><InputNumber id="amount" onChange={keep("amount")} /></Form.Item>
    <Slider ariaLabelForHandle="Loudness" defaultValue={30} onChangeComplete={keep("loudness")} />
    <Rate onChange={keep("rate")} /><br /><Switch onChange={keep("on")} aria-label="Wi-Fi" />
    <Segmented options={["Daily", "Weekly", "Monthly"]} onChange={keep("period")} />
    <Input.OTP length={4} onChange={keep("code")} /></Form>,
  dates: () => <Form layout="vertical" style={box}>
    <Form.Item label="Date" htmlFor="date"><DatePicker id="date" onChange={(_, text) => (state.date = text)} /></Form.Item>
    <Form.Item label="Period" htmlFor="from"><DatePicker.RangePicker id={{ start: "from", end: "to" }} onChange={(_, texts) => (state.period = texts)} /></Form.Item></Form>,
  table: () => <Table size="small" pagination={{ pageSize: 5 }} rowSelection={{ onChange: keep("chosen") }}
    onChange={(paging, _, sorter) => Object.assign(state, { page: paging.current, order: sorter.order })}
    dataSource={Array.from({ length: 12 }, (_, key) => ({ key, name: `Person ${key}`, age: 20 + (key * 7) % 30 }))}
    columns={[{ title: "Name", dataIndex: "name" }, { title: "Age", dataIndex: "age", sorter: (a, b) => a.age - b.age }]} />,
  confirm: () => { const [modal, holder] = Modal.useModal();
    return <>{holder}<Button onClick={() => modal.confirm({ title: "Delete this file?", okText: "Delete", onOk: () => { state.deleted = true; } })}>Delete file</Button>
      <ColorPicker defaultValue="#1677ff" onChangeComplete={(color) => (state.color = color.toHexString())}><Button>Pick colour</Button></ColorPicker></>; },
  transfer: () => <Transfer dataSource={["Read", "Write", "Share"].map((title) => ({ key: title, title }))} titles={["Possible", "Granted"]}
    targetKeys={state.granted ?? []} onChange={(keys) => { state.granted = keys; root.render(<Page />); }} render={(item) => item.title} />,
};
const Page = PAGES[page];
const root = createRoot(app);
root.render(<Page />);
