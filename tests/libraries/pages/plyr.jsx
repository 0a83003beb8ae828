import Plyr from "plyr";
import "plyr/dist/plyr.css";
import { silence } from "./sound.js";
import { app, compute } from "./state.js";

app.innerHTML = `<div style="width:640px;margin-top:400px"><video controls playsinline></video></div>`;
const video = app.querySelector("video");
video.src = silence();
const player = new Plyr(video, { iconUrl: "", loadSprite: false, storage: { enabled: false },
  controls: ["play-large", "play", "progress", "current-time", "mute", "volume", "settings"], settings: ["speed"] });
compute(() => ({ playing: player.playing, muted: player.muted, time: player.currentTime, speed: player.speed, volume: player.volume }));
