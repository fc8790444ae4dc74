/**
 * Values of structured clone as text: the stand-in's main process and its pages share no memory. Both functions
 * are also injected into pages by their source, so they use nothing from outside themselves.
 */
export function encode(value: unknown): string {
  const bytesOf = (view: Uint8Array): string =>
    Array.from(view, (byte) => String.fromCharCode(byte)).join('');
  const walk = (part: unknown): unknown => {
    if (part === undefined) return { $: 'undefined' };
    if (typeof part === 'bigint') return { $: 'bigint', v: part.toString() };
    if (typeof part === 'number' && !Number.isFinite(part)) return { $: 'number', v: String(part) };
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map(walk);
    if (part instanceof Date) return { $: 'date', v: part.getTime() };
    if (part instanceof Uint8Array) return { $: 'bytes', v: bytesOf(part) };
    if (part instanceof Map) return { $: 'map', v: [...part].map((pair) => pair.map(walk)) };
    if (part instanceof Set) return { $: 'set', v: [...part].map(walk) };
    if (part instanceof Error) return { $: 'error', v: [part.name, part.message] };
    return { $: 'object', v: Object.entries(part).map(([key, inner]) => [key, walk(inner)]) };
  };
  // Values that structured clone rejects (functions, symbols) are rejected here with the same error.
  return JSON.stringify(walk(structuredClone(value)));
}

/** The value that {@link encode} received. */
export function decode(text: string): unknown {
  const errorOf = ([name, message]: [string, string]): Error => Object.assign(new Error(message), { name });
  const walk = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map(walk);
    const { $: kind, v } = part as { $: string; v: never }; // written by encode alone
    if (kind === 'undefined') return undefined;
    if (kind === 'bigint') return BigInt(v);
    if (kind === 'number') return Number(v);
    if (kind === 'date') return new Date(v);
    if (kind === 'bytes') return Uint8Array.from(v as string, (letter) => letter.charCodeAt(0));
    if (kind === 'map')
      return new Map((v as [unknown, unknown][]).map(([key, inner]) => [walk(key), walk(inner)]));
    if (kind === 'set') return new Set((v as unknown[]).map(walk));
    if (kind === 'error') return errorOf(v);
    return Object.fromEntries((v as [string, unknown][]).map(([key, inner]) => [key, walk(inner)]));
  };
  return walk(JSON.parse(text));
}
