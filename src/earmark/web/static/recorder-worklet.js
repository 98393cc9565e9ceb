// Runs beside the page: hands over what the microphone gives, all channels mixed to one.

class Tap extends AudioWorkletProcessor {
  process(inputs) {
    const channels = inputs[0];
    if (channels.length) {
      const mixed = new Float32Array(channels[0].length);
      for (const channel of channels) for (let k = 0; k < mixed.length; k++) mixed[k] += channel[k] / channels.length;
      this.port.postMessage(mixed, [mixed.buffer]);
    }
    return true;
  }
}

registerProcessor("tap", Tap);
