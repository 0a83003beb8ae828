// Everything that a page can ask about its browser and device, as one flat object of texts.
(async () => {
  const seen = {};
  const FEATURES = {
    'pointer': 'none coarse fine', 'any-pointer': 'none coarse fine', 'hover': 'none hover', 'any-hover': 'none hover',
    'prefers-color-scheme': 'light dark', 'prefers-reduced-motion': 'no-preference reduce',
    'prefers-reduced-transparency': 'no-preference reduce', 'prefers-reduced-data': 'no-preference reduce',
    'prefers-contrast': 'no-preference more less custom', 'forced-colors': 'none active',
    'inverted-colors': 'none inverted', 'color-gamut': 'srgb p3 rec2020', 'dynamic-range': 'standard high',
    'video-dynamic-range': 'standard high', 'update': 'none slow fast', 'overflow-block': 'none scroll paged',
    'overflow-inline': 'none scroll', 'scripting': 'none initial-only enabled', 'orientation': 'portrait landscape',
    'display-mode': 'browser standalone minimal-ui fullscreen', 'color': '', 'monochrome': '', 'grid': '',
    'horizontal-viewport-segments': '1', 'device-posture': 'continuous folded',
  };
  for (const [name, values] of Object.entries(FEATURES)) {
    const queries = values === '' ? [name] : values.split(' ').map((value) => `${name}: ${value}`);
    seen[`@media ${name}`] = queries.filter((query) => matchMedia(`(${query})`).matches)
      .map((query) => query.split(': ').at(-1)).join(' ') || '–';
  }
  const note = async (name, ask) => {
    try {
      const late = new Promise((resolve) => { setTimeout(resolve, 2000, 'no answer within 2 s'); });
      seen[name] = String(await Promise.race([ask(), late]));
    } catch (error) {
      seen[name] = error.name;
    }
  };
  const noteParts = (name, object) => {
    for (const key in object) {
      let value;
      try { value = object[key]; } catch (error) { value = error.name; }
      if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) seen[`${name}.${key}`] = String(value);
      else if (typeof value === 'object') seen[`${name}.${key}`] = Array.isArray(value) ? value.join(', ') : 'present';
    }
  };
  noteParts('navigator', navigator);
  noteParts('navigator.connection', navigator.connection);
  noteParts('screen', screen);
  noteParts('screen.orientation', screen.orientation);
  for (const name of ['outerWidth', 'outerHeight', 'innerWidth', 'innerHeight', 'screenX', 'screenY',
    'devicePixelRatio', 'isSecureContext', 'crossOriginIsolated']) seen[name] = String(window[name]);
  seen['scrollbar width'] = String(innerWidth - document.documentElement.clientWidth);
  await note('navigator.plugins', () => Array.from(navigator.plugins, ({ name }) => name).join(', ') || '–');
  await note('navigator.userAgentData', async () => JSON.stringify(await navigator.userAgentData.getHighEntropyValues(
    ['architecture', 'bitness', 'model', 'platformVersion', 'formFactors'])));
  const PERMISSIONS = 'accelerometer ambient-light-sensor background-fetch background-sync camera captured-surface-control '
    + 'clipboard-read clipboard-write display-capture geolocation gyroscope idle-detection keyboard-lock local-fonts '
    + 'magnetometer microphone midi nfc notifications payment-handler periodic-background-sync persistent-storage '
    + 'pointer-lock screen-wake-lock storage-access window-management';
  for (const name of PERMISSIONS.split(' ')) {
    await note(`permission ${name}`, async () => (await navigator.permissions.query({ name })).state);
  }
  await note('Notification.permission', () => Notification.permission);
  await note('mediaDevices', async () => (await navigator.mediaDevices.enumerateDevices()).length);
  await note('speech voices', () => speechSynthesis.getVoices().length);
  await note('WebGL', () => {
    const gl = document.createElement('canvas').getContext('webgl');
    return gl ? gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info').UNMASKED_RENDERER_WEBGL) : '–';
  });
  await note('WebGPU adapter', async () => Boolean(await navigator.gpu.requestAdapter()));
  const video = document.createElement('video');
  for (const codec of ['mp4; codecs="avc1.42E01E"', 'webm; codecs="vp9"', 'mp4; codecs="av01.0.05M.08"',
    'mp4; codecs="hvc1.1.6.L93.B0"']) seen[`video/${codec}`] = video.canPlayType(`video/${codec}`) || '–';
  for (const api of ['chrome', 'Notification', 'PaymentRequest', 'PresentationRequest', 'SharedWorker', 'SpeechRecognition',
    'webkitSpeechRecognition', 'showOpenFilePicker', 'EyeDropper', 'getScreenDetails', 'PublicKeyCredential',
    'documentPictureInPicture', 'launchQueue', 'ContactsManager', 'cookieStore', 'queryLocalFonts']) {
    seen[`window.${api}`] = api in window ? 'present' : '–';
  }
  seen['chrome.*'] = Object.keys(window.chrome ?? {}).join(', ') || '–';
  await note('document.hasFocus()', () => document.hasFocus());
  await note('document.visibilityState', () => document.visibilityState);
  await note('storage quota', async () => ((await navigator.storage.estimate()).quota > 1e8 ? 'above 100 MB' : 'small'));
  await note('keyboard layout', async () => (await navigator.keyboard.getLayoutMap()).size > 0);
  await note('frames in 500 ms', () => new Promise((resolve) => {
    let frames = 0;
    const count = () => { frames += 1; requestAnimationFrame(count); };
    requestAnimationFrame(count);
    setTimeout(() => resolve(frames > 20 ? 'above 20' : frames), 500);
  }));
  return JSON.stringify(seen);
})();
