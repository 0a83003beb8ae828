import WaveSurfer from "wavesurfer.js";
import Regions from "wavesurfer.js/dist/plugins/regions.esm.js";
import { silence } from "./sound.js";
import { app, compute } from "./state.js";

app.innerHTML = `<div id="wave" style="width:600px;margin:20px"></div><button>Play</button>`;
const regions = Regions.create();
const wave = WaveSurfer.create({ container: "#wave", url: silence(), plugins: [regions] });
wave.on("decode", () => { regions.addRegion({ start: 6, end: 12, content: "Intro" }); regions.enableDragSelection({ color: "#f003" }); });
app.querySelector("button").onclick = () => wave.playPause();
compute(() => ({ time: wave.getCurrentTime(), playing: wave.isPlaying(), regions: regions.getRegions().map(({ start, end }) => [start, end]) }));
