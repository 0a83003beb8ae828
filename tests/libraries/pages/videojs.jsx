import videojs from "video.js";
import "video.js/dist/video-js.css";
import { silence } from "./sound.js";
import { app, compute } from "./state.js";

app.innerHTML = `<video class="video-js" width="640" height="360"></video>`;
const player = videojs(app.querySelector("video"), {
  controls: true, inactivityTimeout: 0, playbackRates: [0.5, 1, 1.5, 2], preload: "auto",
  sources: [{ src: silence(), type: "audio/wav" }], controlBar: { volumePanel: { inline: false } },
});
compute(() => ({ playing: !player.paused(), muted: player.muted(), time: player.currentTime(), speed: player.playbackRate(), volume: player.volume() }));
