import "./jquery_global.js";
import "jquery-ui/dist/jquery-ui.js";
import "jquery-ui/dist/themes/base/jquery-ui.css";
import { app, compute } from "./state.js";

const $ = window.jQuery;
const TAGS = ["ActionScript", "BASIC", "C++", "Clojure", "COBOL", "Erlang", "Fortran", "Haskell", "Java", "JavaScript", "Scala"];
app.innerHTML = `<label>Arrival <input id="date"></label> <label>Language <input id="language"></label> <label>Guests <input id="guests"></label>
  <label for="speed">Speed</label><select id="speed"><option>Slow</option><option selected>Medium</option><option>Fast</option></select>
  <div id="amount" style="width:300px;margin:20px"></div>
  <ul id="sortable" style="width:200px">${["Alpha", "Beta", "Gamma", "Delta"].map((name) => `<li class="ui-state-default" style="padding:6px">${name}</li>`).join("")}</ul>
  <div id="tabs"><ul><li><a href="#one">First</a></li><li><a href="#two">Second</a></li></ul><div id="one">Text one</div><div id="two">Text two</div></div>
  <button id="open">Empty the bin</button><div id="dialog" title="Empty the bin?">All files are deleted.</div>
  <fieldset><legend>Extras</legend><label for="pool">Pool</label><input type="checkbox" id="pool"><label for="sauna">Sauna</label><input type="checkbox" id="sauna"></fieldset>
  <div id="drag" class="ui-widget-content" style="width:90px;padding:8px">Parcel</div><div id="drop" class="ui-widget-header" style="width:160px;height:80px;margin-top:40px">Van</div>`;
const done = [];
$("#date").datepicker({ defaultDate: new Date(2026, 2, 10), changeMonth: true, changeYear: true });
$("#language").autocomplete({ source: TAGS, minLength: 1, select: (_, { item }) => done.push(`chose ${item.value}`) });
$("#guests").spinner({ min: 1, max: 12 });
$("#speed").selectmenu({ change: (_, { item }) => done.push(`speed ${item.value}`) });
$("#amount").slider({ value: 20 });
$("#sortable").sortable();
$("#tabs").tabs();
$("#dialog").dialog({ autoOpen: false, modal: true, buttons: {
  "Delete all": () => { done.push("deleted"); $("#dialog").dialog("close"); }, Cancel: () => $("#dialog").dialog("close") } });
$("#open").button().on("click", () => $("#dialog").dialog("open"));
$("input[type=checkbox]").checkboxradio();
$("#drag").draggable();
$("#drop").droppable({ drop: () => done.push("parcel in van") });
compute(() => ({ done, date: $("#date").datepicker("getDate")?.toDateString(), language: $("#language").val(), guests: $("#guests").spinner("value"),
  amount: $("#amount").slider("value"), order: $("#sortable").children().toArray().map((row) => row.textContent), tab: $("#tabs").tabs("option", "active"),
  open: $("#dialog").dialog("isOpen"), speed: $("#speed").val(), pool: $("#pool").prop("checked") }));
