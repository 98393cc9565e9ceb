// A picture of a sound: time to the right, pitch upwards on a mel scale, loudness as darkness.

const FRAME = 1024, BANDS = 64, COLUMNS = 400, RANGE_DB = 70;
const LOWEST = 60; // Hz

const mel = (hertz) => 2595 * Math.log10(1 + hertz / 700);
const hertz = (value) => 700 * (10 ** (value / 2595) - 1);

/** Return the power of a frame at every frequency, by a fast Fourier transform of a power of two. */
function powers(real) {
  const n = real.length, imaginary = new Float32Array(n);
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [real[i], real[j]] = [real[j], real[i]];
  }
  for (let length = 2; length <= n; length *= 2) {
    for (let start = 0; start < n; start += length) {
      for (let k = 0; k < length / 2; k++) {
        const angle = (-2 * Math.PI * k) / length, c = Math.cos(angle), s = Math.sin(angle);
        const a = start + k, b = a + length / 2;
        const x = real[b] * c - imaginary[b] * s, y = real[b] * s + imaginary[b] * c;
        [real[b], imaginary[b]] = [real[a] - x, imaginary[a] - y];
        [real[a], imaginary[a]] = [real[a] + x, imaginary[a] + y];
      }
    }
  }
  return real.slice(0, n / 2).map((value, k) => value * value + imaginary[k] * imaginary[k]);
}

export async function draw(canvas, blob) {
  const context = new OfflineAudioContext(1, 1, 44_100);
  const sound = await context.decodeAudioData(await blob.arrayBuffer());
  const samples = sound.getChannelData(0), nyquist = sound.sampleRate / 2;
  const edges = Array.from({ length: BANDS + 1 }, (_, k) => hertz(mel(LOWEST) + ((mel(nyquist) - mel(LOWEST)) * k) / BANDS));
  const values = [];
  for (let column = 0; column < COLUMNS; column++) {
    const start = Math.floor((column * Math.max(0, samples.length - FRAME)) / COLUMNS);
    const frame = new Float32Array(FRAME);
    for (let k = 0; k < FRAME; k++) frame[k] = (samples[start + k] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * k) / FRAME));
    const spectrum = powers(frame);
    values.push(edges.slice(0, -1).map((low, band) => {
      const first = Math.floor((low / nyquist) * spectrum.length);
      const last = Math.max(first + 1, Math.floor((edges[band + 1] / nyquist) * spectrum.length));
      let sum = 1e-12;
      for (let k = first; k < last; k++) sum += spectrum[k];
      return 10 * Math.log10(sum / (last - first));
    }));
  }
  const loudest = Math.max(...values.flat());
  canvas.width = COLUMNS;
  canvas.height = BANDS;
  const pen = canvas.getContext("2d"), style = getComputedStyle(canvas);
  pen.fillStyle = style.backgroundColor;
  pen.fillRect(0, 0, COLUMNS, BANDS);
  pen.fillStyle = style.color;
  values.forEach((column, x) => column.forEach((value, band) => {
    pen.globalAlpha = Math.max(0, 1 + (value - loudest) / RANGE_DB) ** 1.5;
    pen.fillRect(x, BANDS - 1 - band, 1, 1);
  }));
}
