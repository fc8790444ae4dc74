import fc from 'fast-check';
import * as z from 'zod';
import type { Random } from './random.ts';
import { pickKnown, type Known } from './known.ts';

type Schema = z.core.$ZodType;

const samples = new Map<string, [string, ...string[]]>();

/** Texts that match a pattern; generated once, because the patterns are few. */
function matching(pattern: RegExp): [string, ...string[]] {
  const kept = samples.get(pattern.source);
  if (kept) return kept;
  const [first = '', ...rest] = fc.sample(fc.stringMatching(pattern), { numRuns: 20, seed: 1 });
  samples.set(pattern.source, [first, ...rest]);
  return [first, ...rest];
}

const words: [string, ...string[]] = [
  'a',
  'wits',
  'Ridge A-100H',
  'data.rop',
  '5001',
  'x'.repeat(300),
  '..',
  'æ',
];

function pickFrom<T>(choices: readonly T[], random: Random): T {
  const [first, ...rest] = choices;
  if (first === undefined && choices.length === 0) throw new Error('a schema without a choice');
  return random.pick([first as T, ...rest]);
}

/** The checks of a schema: a pattern, a minimum, a maximum. */
function checksOf(schema: Schema): readonly { check: string; pattern?: RegExp; value?: unknown }[] {
  const { checks = [], ...own } = schema._zod.def as z.core.$ZodTypeDef & { check?: string };
  return [
    ...checks.map(({ _zod: { def } }) => def),
    ...(own.check === undefined ? [] : [{ ...own, check: own.check }]),
  ];
}

function text(schema: Schema, random: Random): string {
  const pattern = checksOf(schema).find((check) => check.pattern)?.pattern;
  return random.pick(pattern ? matching(pattern) : words);
}

function number(schema: Schema, random: Random): number {
  const bound = (name: string, otherwise: number): number => {
    const value = checksOf(schema).find(({ check }) => check === name)?.value;
    return typeof value === 'number' ? value : otherwise;
  };
  const low = bound('greater_than', -5);
  return random.integer(low, Math.max(low, Math.min(bound('less_than', 1000), low + 2000)));
}

/** The type inside a wrapper such as `optional`; undefined: no value. */
function inner(schema: Schema): Schema | undefined {
  const { def } = schema._zod as { def: { innerType?: Schema; in?: Schema; getter?: () => Schema } };
  return def.innerType ?? def.in ?? def.getter?.();
}

export interface ValueOptions {
  readonly random: Random;
  readonly known: Known;
  /** How often a field with a known meaning gets a meaningful value, from 0 to 1. */
  readonly sense: number;
}

/**
 * A value that matches a schema of the contract by its types; refinements are ignored. Fields with known names
 * get values that are meaningful to the application.
 */
export function valueFor(schema: Schema, making: ValueOptions, field = '', depth = 0): unknown {
  const { random, known, sense } = making;
  const give = (part: Schema, name = field): unknown => valueFor(part, making, name, depth + 1);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'default')
    return random.chance(0.4) ? undefined : give(def.innerType);
  const knownValue = random.chance(sense) ? pickKnown(known, field, random) : undefined;
  // Fields with different types share names.
  if (knownValue !== undefined && z.safeParse(schema, knownValue).success) return knownValue;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- of zod's kinds the contract uses these
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape)
          .map(([name, part]) => [name, give(part, name)] as const)
          .filter(([, value]) => value !== undefined),
      );
    case 'nullable':
      return random.chance(0.3) ? null : give(def.innerType);
    case 'array':
      return Array.from({ length: depth > 6 ? 0 : random.integer(0, 3) }, () => give(def.element));
    case 'union':
      return give(pickFrom(def.options, random));
    case 'literal':
      return pickFrom(def.values, random);
    case 'enum':
      return pickFrom(Object.values(def.entries), random);
    case 'record': {
      const pair = (): [string, unknown] => [random.pick(words), give(def.valueType)];
      return Object.fromEntries(Array.from({ length: random.integer(0, 3) }, pair));
    }
    case 'tuple':
      return def.items.map((part) => give(part));
    case 'string':
      return text(schema, random);
    case 'number':
      return number(schema, random);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'undefined':
    case 'void':
      return undefined;
    default: {
      const within = inner(schema);
      return within ? give(within) : random.pick(words);
    }
  }
}
