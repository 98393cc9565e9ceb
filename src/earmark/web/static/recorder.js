// The microphone: samples at the device's own rate, resampled to a 16-bit mono WAV when a take ends.

import { t } from "./texts.js";

export const RATE = 16_000;
// Devices smooth, level and filter by themselves unless told otherwise; a study wants what was said.
const PLAIN = { echoCancellation: false, noiseSuppression: false, autoGainControl: false, channelCount: 1 };

/** Open the microphone; `onblock(samples, level)` gets every block. Return {rate, close}. */
export async function openMicrophone(onblock) {
  if (!navigator.mediaDevices?.getUserMedia || !globalThis.AudioWorkletNode) throw new Error(t("record.unsupported"));
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: PLAIN });
  } catch (error) {
    throw new Error(t(error.name === "NotFoundError" ? "record.no-microphone" : "record.not-allowed"));
  }
  // the device's rate: Firefox refuses to join a microphone and a context of another one
  const context = new AudioContext();
  await context.resume();
  await context.audioWorklet.addModule(new URL("./recorder-worklet.js", import.meta.url));
  const source = context.createMediaStreamSource(stream);
  const tap = new AudioWorkletNode(context, "tap", { numberOfOutputs: 1 });
  tap.port.onmessage = ({ data }) => onblock(data, levelOf(data));
  const mute = context.createGain();
  mute.gain.value = 0;
  source.connect(tap).connect(mute).connect(context.destination); // a node that leads nowhere may be left out
  return {
    rate: context.sampleRate,
    close() {
      stream.getTracks().forEach((track) => track.stop());
      tap.port.onmessage = null;
      return context.close();
    },
  };
}

/** Return the peak of a block, 0 to 1. */
function levelOf(block) {
  let peak = 0;
  for (const sample of block) peak = Math.max(peak, Math.abs(sample));
  return peak;
}

/** Return blocks of samples as one array, without the zeros that come before the device has started. */
export function joined(blocks) {
  const whole = new Float32Array(blocks.reduce((sum, block) => sum + block.length, 0));
  let place = 0;
  for (const block of blocks) {
    whole.set(block, place);
    place += block.length;
  }
  const first = whole.findIndex((sample) => sample !== 0);
  return first > 0 ? whole.subarray(first) : whole;
}

/** Return samples at another rate, by the browser's own filter. */
export async function resampled(samples, rate, wanted = RATE) {
  if (rate === wanted || !samples.length) return samples;
  const offline = new OfflineAudioContext(1, Math.max(1, Math.round((samples.length * wanted) / rate)), wanted);
  const buffer = offline.createBuffer(1, samples.length, rate);
  buffer.copyToChannel(samples, 0);
  const source = offline.createBufferSource();
  source.buffer = buffer;
  source.connect(offline.destination);
  source.start();
  return (await offline.startRendering()).getChannelData(0);
}

/** Return a WAV file of mono samples: PCM, 16 bits. */
export function wav(samples, rate = RATE) {
  const view = new DataView(new ArrayBuffer(44 + 2 * samples.length));
  const letters = (place, text) => [...text].forEach((letter, k) => view.setUint8(place + k, letter.charCodeAt(0)));
  letters(0, "RIFF");
  view.setUint32(4, 36 + 2 * samples.length, true);
  letters(8, "WAVEfmt ");
  view.setUint32(16, 16, true); // bytes of the format
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, 1, true); // channels
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true); // bytes per second
  view.setUint16(32, 2, true); // bytes per frame
  view.setUint16(34, 16, true); // bits
  letters(36, "data");
  view.setUint32(40, 2 * samples.length, true);
  samples.forEach((sample, k) => view.setInt16(44 + 2 * k, Math.max(-32768, Math.min(32767, Math.round(sample * 32767))), true));
  return new Blob([view.buffer], { type: "audio/wav" });
}

/** Return {start, stop, level}: takes of at most `longest` seconds, each {blob, seconds, peak}. */
export function recorder({ longest, onlevel = () => {}, onfull = () => {} }) {
  let microphone = null, blocks = [], length = 0, peak = 0, full = false;
  function onblock(block, level) {
    onlevel(level, length / (microphone?.rate ?? 48_000));
    if (full) return;
    blocks.push(block);
    length += block.length;
    peak = Math.max(peak, level);
    if (microphone && length >= longest * microphone.rate) {
      full = true;
      onfull();
    }
  }
  return {
    async start() {
      [blocks, length, peak, full] = [[], 0, 0, false];
      microphone = await openMicrophone(onblock);
    },
    async stop() {
      const { rate } = microphone;
      await microphone.close();
      microphone = null;
      const samples = await resampled(joined(blocks).slice(0, Math.floor(longest * rate)), rate);
      return { blob: wav(samples), seconds: samples.length / RATE, peak };
    },
    get running() { return microphone !== null; },
    async cancel() {
      await microphone?.close();
      microphone = null;
    },
  };
}
