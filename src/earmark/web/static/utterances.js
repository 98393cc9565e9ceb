// Cuts what a microphone hears into utterances: sound that rises above the room's noise, between two silences.

const LEAD = 0.3; // s of sound kept from before an utterance is noticed
const SILENCE = 0.5; // s after which it has ended
const SHORTEST = 0.3, LONGEST = 3.0; // s, as the server takes them
const ABOVE = 4; // times the level of the room
const FAINTEST = 0.015; // a peak that is never speech at arm's length
const SETTLE = 0.02; // how fast the estimate of the room's level follows it upwards

/** Return a function that takes blocks of samples; `onutterance(blocks)` gets those of each utterance. */
export function utterances(rate, onutterance, onspeech = () => {}) {
  let lead = [], leadLength = 0, blocks = null, length = 0, silent = 0, room = FAINTEST / ABOVE;
  function finish() {
    const voiced = length - silent;
    if (voiced >= SHORTEST * rate) onutterance(blocks);
    blocks = null;
    [lead, leadLength] = [[], 0];
    onspeech(false);
  }
  return (block, level) => {
    const speaks = level > Math.max(FAINTEST, ABOVE * room);
    if (!speaks) room = level < room ? level : room + SETTLE * (level - room);
    if (blocks) {
      blocks.push(block);
      length += block.length;
      silent = speaks ? 0 : silent + block.length;
      if (silent > SILENCE * rate || length > LONGEST * rate) finish();
      return;
    }
    lead.push(block);
    leadLength += block.length;
    while (leadLength - lead[0].length > LEAD * rate) leadLength -= lead.shift().length;
    if (speaks) {
      [blocks, length, silent] = [lead, leadLength, 0];
      onspeech(true);
    }
  };
}
