import type { StoreApi } from 'zustand/vanilla';
import type { QuestionMode, QuestionText } from '../../../shared/query/question.ts';
import type { Problems } from '../../state/problems.ts';
import { convertMode, serviceMode, type ServiceMode } from './convert-mode.ts';
import { conditionsOf, conditionsOfStages, replaceConditions } from './conditions.ts';
import type { QuestionField } from './query-request.ts';
import type { SummaryParts } from '../../../shared/language/text/summary.ts';

interface QueryText {
  readonly text: QuestionText;
  readonly problems: Problems<QuestionField>;
  readonly previousMode: QuestionMode | null;
  readonly summaryStart: SummaryStart | null;
}

/** What a summary begins with, until it is written. */
export interface SummaryStart {
  /** The conditions of its records. */
  readonly match: string;
  /** What it computes; null: what it does so far, or the usual. */
  readonly parts: SummaryParts | null;
}

/**
 * Changes of a query's text.
 * @param fill the initial query for the current knowledge
 * @param first the initial query of the tab; null: a restored text
 */
export function createTextActions(
  store: Pick<StoreApi<QueryText>, 'getState' | 'setState'>,
  fill: () => QuestionText,
  first: QuestionText | null,
) {
  let filled = first;
  const textNow = () => store.getState().text;
  return {
    /** Sets an input of a mode. */
    type<M extends QuestionMode>(mode: M, typed: Partial<QuestionText[M]>): void {
      const fine = Object.fromEntries(Object.keys(typed).map((field) => [field, undefined]));
      store.setState(({ text, problems }) => ({
        text: { ...text, [mode]: { ...text[mode], ...typed } },
        problems: { ...problems, ...fine },
      }));
    },
    /** Switches the mode; each keeps its own text. */
    switchTo(mode: QuestionMode): void {
      store.setState(({ text }) => ({ text: { ...text, mode }, problems: {}, previousMode: text.mode }));
    },
    /** Shows the form of a summary of the records that match the conditions of the current mode. */
    startSummary(parts: SummaryParts | null): SummaryStart {
      const { text } = store.getState();
      const isSummary = text.mode === 'pipeline' && parts === null;
      const match = isSummary ? null : conditionsOf(text);
      const summaryStart = { match: match ?? conditionsOfStages(text.pipeline.stages) ?? '{}', parts };
      store.setState({
        text: { ...text, mode: 'pipeline', pipeline: { ...text.pipeline, view: 'summary' } },
        problems: {},
        previousMode: null,
        summaryStart,
      });
      return summaryStart;
    },
    /** Writes the summary that was started. */
    beginSummary(stages: string): void {
      store.setState(({ text }) => ({
        text: { ...text, pipeline: { ...text.pipeline, stages } },
        summaryStart: null,
      }));
    },
    /** The find before anybody changes it. */
    initialFind: (): QuestionText['find'] => fill().find,
    /** Whether nobody has typed a pipeline. */
    isPipelineUnchanged: (): boolean =>
      [fill().pipeline.stages, filled?.pipeline.stages].includes(textNow().pipeline.stages),
    /** Replaces this mode's text with the previous mode's query. */
    convertPrevious(): void {
      store.setState(({ text, previousMode }) => {
        const { mode } = text;
        const [from, to] = [serviceMode(previousMode), serviceMode(mode)];
        const conversion = from && to ? convertMode(text, from, to, fill().find) : null;
        return conversion ? { text: conversion.text, previousMode: null, problems: {} } : {};
      });
    },
    /** The previous mode's query in this mode; null: it can't be read. */
    previewConversion: (from: ServiceMode, to: ServiceMode) => convertMode(textNow(), from, to, fill().find),
    dismissConversion: (): void => store.setState({ previousMode: null }),
    /** Replaces the initial query by one for the current knowledge and wells, unless the user changed it. */
    refill(): void {
      const next = fill();
      if (textNow() !== filled || JSON.stringify(next) === JSON.stringify(filled)) return;
      filled = next;
      store.setState({ text: next });
    },
    /** Whether the initial query is unchanged. */
    isUnchanged: (): boolean => textNow() === filled,
    /** The values of `{{ask:…}}` parameters. */
    answer: (name: string, value: string): void =>
      store.setState(({ text }) => ({ text: { ...text, answers: { ...text.answers, [name]: value } } })),
    set: (options: Partial<Pick<QuestionText, 'timeout' | 'countFirst'>>): void =>
      store.setState(({ text }) => ({ text: { ...text, ...options } })),
    /**
     * Changes the conditions of the current mode; null from `write` leaves them.
     * @returns whether there was a place for the change
     */
    change(write: (conditions: string) => string | null): boolean {
      const conditions = conditionsOf(textNow());
      const changed = conditions === null ? null : write(conditions);
      if (changed !== null)
        store.setState(({ text }) => ({ text: replaceConditions(text, changed), problems: {} }));
      return changed !== null;
    },
  };
}
