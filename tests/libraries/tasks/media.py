"""Players."""

from typing import Final

from tests.libraries.steps import Click, Element, Fill, Keys, Task, button, slider, text

_PLAYS_MUTED = "state.playing && state.muted"

TASKS: Final = (
    Task("play and mute", "plyr", [Click(button("Play")), Click(button("Mute"))], _PLAYS_MUTED),
    Task("seek to the middle", "plyr",
         [Fill({slider("Seek"): "50"})],
         "Math.abs(state.time - 30) < 2"),
    Task("set the volume", "plyr",
         [Fill({slider("Volume"): "0.3"})],
         "Math.abs(state.volume - 0.3) < 0.06"),
    Task("choose a speed", "plyr",
         [
             Click(button("Settings")), Click(text("Speed")),
             Click(Element("menuitemradio", "1.5\u00d7")),
         ],
         "state.speed == 1.5"),
    Task("play and mute", "videojs",
         [Click(button("Play Video")), Click(button("Mute"))],
         _PLAYS_MUTED),
    Task("choose a speed", "videojs",
         [
             Click(button("Play Video")), Click(button("Playback Rate")),
             Click(Element("menuitemradio", "1.5x")),
         ],
         "state.speed == 1.5"),
    Task("seek by keys", "videojs",
         [Click(button("Play Video")), Keys(["ArrowRight"], times=3, on=slider("Progress Bar"))],
         "state.time > 10"),
)  # fmt: skip
