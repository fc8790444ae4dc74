import type { AssetId } from '../wells/well-ids.ts';
import { answerOf, type AskType, type Present } from './answers.ts';
import { millisecondsOfMoment } from './moments.ts';
import type { Parameter } from './parameter.ts';
import type { Bound } from './reader.ts';

/** What parameters stand for in one run; the same `now` for all of them. */
export interface ParameterValues extends Present {
  readonly wells: readonly AssetId[];
  readonly company: number | null;
  /** What was typed, by the name that was asked for. */
  readonly asked: ReadonlyMap<string, string>;
  /** How a value is given here; absent: as in the window. */
  readonly ways?: GivenBy;
}

/** What to do where a parameter stands for nothing, each as a sentence. */
export interface GivenBy {
  readonly wells: string;
  readonly company: string;
  readonly asked: (name: string) => string;
}

const inWindow: GivenBy = {
  wells: 'Choose one, or write its asset id in place of {{wells}}.',
  company: 'Write its id in place of {{company}}.',
  asked: () => 'Give one for it.',
};

/** The type that is asked for under a name, where one of its places gives it. */
export type AskedTypes = ReadonlyMap<string, AskType | null>;

/** What a parameter stands for; a text is why it stands for nothing. */
export function valueOf(parameter: Parameter, values: ParameterValues, types: AskedTypes): Bound | string {
  const { ways = inWindow } = values;
  if (parameter.kind === 'wells') {
    if (values.wells.length > 0) return { kind: 'wells', ids: [...new Set(values.wells)] };
    return `No well is chosen. ${ways.wells}`;
  }
  if (parameter.kind === 'company') {
    if (values.company !== null) return { kind: 'value', value: values.company };
    return `Which company is not known here. ${ways.company}`;
  }
  if (parameter.kind === 'moment') {
    const ms = millisecondsOfMoment(parameter.moment, values.now, values.zone);
    return ms === undefined ? 'This moment lies too far away. Write a nearer one.' : { kind: 'date', ms };
  }
  const { name, type } = parameter;
  const said = values.asked.get(name) ?? '';
  if (said.trim() === '') return `${name} has no value yet. ${ways.asked(name)}`;
  const answer = answerOf(said, type ?? types.get(name) ?? null, values);
  return typeof answer === 'string' ? `${name}: ${answer}` : answer;
}
