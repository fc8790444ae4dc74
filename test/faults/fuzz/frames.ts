import type { Random } from './random.ts';
import { hostileValues, mutatedText } from './hostile.ts';

const sound: [string, ...string[]] = [
  '{"i":"1","p":{"u":"/workspace/about","b":{"json":{}}}}',
  '{"i":"1","p":{"u":"/jobs/show","b":{"json":{"job":"20261121-080000000-abcdef"}}}}',
  '{"i":"1","t":4}',
  '{"i":"1","p":{"u":"/query/find","b":{"json":{"connection":"x"}},"h":{"a":"b"}}}',
  '{"i":"1","t":3,"p":{"e":"message","d":{"json":1}}}',
];

/** A malformed frame: in its characters, one of its parts, or all of it. */
export function hostileFrame(random: Random): string {
  const kind = random.integer(0, 3);
  const frame = random.pick(sound);
  if (kind === 0) return random.pick(hostileValues).text;
  if (kind === 1) return mutatedText(frame, random);
  const parts = ['"1"', '"/workspace/about"', '{"json":{}}', '{}', '4'].filter((part) =>
    frame.includes(part),
  );
  return frame.replace(
    parts[random.integer(0, parts.length - 1)] ?? '"1"',
    () => random.pick(hostileValues).text,
  );
}
