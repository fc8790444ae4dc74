import type { DatasetType } from '../../../../shared/datasets/datasets.ts';
import type { MatchedColumn, UploadMatch } from '../../../../shared/upload/preview.ts';
import { sureConfidence, type ColumnProposal, type FieldMatch } from '../../../../shared/upload/proposals.ts';
import { createLatestTask } from '../../../state/latest-task.ts';
import { idle, load, loading } from '../../../state/loadable.ts';
import type { UploadDependencies, UploadStore, UploadTabState } from '../upload-state.ts';
import { chooseColumn, type ColumnChoice, type MappingChoices } from './mapping-choices.ts';

/** The proposal for a column; undefined: none. */
export const proposalFor = (
  { proposals }: Pick<UploadTabState, 'proposals'>,
  column: string,
): ColumnProposal | undefined =>
  proposals.status === 'loaded' ? proposals.value.columns.find((each) => each.column === column) : undefined;

/** The choice that sends a column to a field, with the conversion between their units. */
export const choiceOfMatch = ({ field, unit, fieldUnit }: FieldMatch): ColumnChoice => ({
  to: field,
  ...(unit !== null && fieldUnit !== null && unit !== fieldUnit ? { unit, fieldUnit } : {}),
});

/** Whether a column goes to a new field under its own name, because nothing matched it. */
export const isNewField = (
  proposals: UploadTabState['proposals'],
  { column, to }: Pick<MatchedColumn, 'column' | 'to'>,
): boolean => to !== null && proposalFor({ proposals }, column)?.newField === to;

export const isSure = (match: FieldMatch): boolean => match.confidence >= sureConfidence;

/** The choice that a proposal makes: the field of a sure match, else a new field with a clean name. */
export function proposedChoice({ match, newField, isEmpty }: ColumnProposal): ColumnChoice {
  if (isEmpty) return { skip: true };
  return match && isSure(match) ? choiceOfMatch(match) : { to: newField };
}

/** What is proposed for a column on its own; null: it is matched by name. */
export function suggestedChoice(
  state: Pick<UploadTabState, 'proposals' | 'dataset'>,
  column: string,
): ColumnChoice | null {
  const proposal = proposalFor(state, column);
  return proposal && state.dataset?.type !== 'reference' ? proposedChoice(proposal) : null;
}

/**
 * The choices with what is proposed for the columns that nothing else decides: neither the user, nor their own name, nor
 * another column. A column that goes to its field anyway is converted into the unit of that field. Null: nothing to fill
 * in.
 * @param decided the choices before certain columns were filled in
 */
export function withProposals(
  choices: MappingChoices,
  match: UploadMatch,
  proposals: readonly ColumnProposal[],
  type: DatasetType | null,
  decided: Pick<MappingChoices, 'columns'> = choices,
): MappingChoices | null {
  const joined = new Set(Object.values(choices.columns).flatMap((choice) => choice.join ?? []));
  const own = new Map(match.columns.map((each) => [each.column, each.to]));
  const filled = new Set([
    ...Object.values(choices.columns).map((choice) => (choice.skip ? null : choice.to)),
    ...match.columns.filter(({ column, to }) => column === to).map(({ to }) => to),
    ...Object.keys(choices.constants),
  ]);
  let next = choices;
  for (const proposal of proposals) {
    const { column } = proposal;
    // Whether a column of times orders the records is decided by its name, with the other fields.
    if (proposal.match?.field === 'timestamp' || proposal.match?.field === 'datetime') continue;
    const isDecided =
      Object.hasOwn(choices.columns, column) || joined.has(column) || own.get(column) === column;
    if (isDecided && !Object.hasOwn(decided.columns, column))
      next = withConversion(next, proposal, choices.columns[column] ?? { to: column });
    if (isDecided || own.get(column) === null) continue;
    const choice = proposedChoice(proposal);
    if (choice.skip) next = chooseColumn(next, column, choice);
    // Rows of a reference dataset can be combined: columns without a choice go to the list.
    else if (filled.has(choice.to) || (type === 'reference' && !(proposal.match && isSure(proposal.match))))
      continue;
    else next = chooseColumn(next, column, choice);
  }
  return next === choices ? null : next;
}

/** The choices with the conversion of a column that goes to the proposed field already. */
function withConversion(
  choices: MappingChoices,
  { column, match }: ColumnProposal,
  now: ColumnChoice,
): MappingChoices {
  if (now.skip || !match || !isSure(match) || match.field !== now.to) return choices;
  const { unit, fieldUnit } = match;
  return unit !== null && fieldUnit !== null && unit !== fieldUnit
    ? chooseColumn(choices, column, { ...now, unit, fieldUnit })
    : choices;
}

/** The choices without those that the proposals for another dataset made. */
export function withoutProposals(
  choices: MappingChoices,
  { proposals }: Pick<UploadTabState, 'proposals'>,
): MappingChoices {
  if (proposals.status !== 'loaded') return choices;
  const made = new Map(
    proposals.value.columns.map((each) => [each.column, JSON.stringify(proposedChoice(each))]),
  );
  const kept = Object.entries(choices.columns).filter(
    ([column, choice]) => made.get(column) !== JSON.stringify(choice),
  );
  return { ...choices, columns: Object.fromEntries(kept) };
}

/** Loads which fields the columns belong to, and which datasets the file fits. Both are optional: without them, columns are matched by name. */
export function createProposing(store: UploadStore, { api, connection }: UploadDependencies) {
  const proposing = createLatestTask();
  const suggesting = createLatestTask();
  let proposedFor = '';

  return {
    /** Resolves with the proposals for the file and dataset; null: there are none. */
    async propose(): Promise<readonly ColumnProposal[] | null> {
      const { file, dataset, reading, proposals } = store.getState();
      if (file.status !== 'ready' || !dataset) return null;
      const { provider, dataset: name } = dataset;
      const request = { connection, source: file.file.token, reading, provider, dataset: name };
      const key = JSON.stringify(request);
      if (key === proposedFor && proposals.status === 'loaded') return proposals.value.columns;
      proposedFor = key;
      store.setState({ proposals: loading });
      const found = await load(
        proposing,
        (signal) => api.upload.propose(request, { signal }),
        (part) => store.setState({ proposals: part }),
      );
      return found?.columns ?? null;
    },
    /** Loads the datasets that the file fits. */
    async suggestDatasets(): Promise<void> {
      const { file, reading } = store.getState();
      if (file.status !== 'ready') return;
      const request = { connection, source: file.file.token, reading };
      await load(
        suggesting,
        (signal) => api.upload.datasetsFor(request, { signal }),
        (part) => store.setState({ fittingDatasets: part }),
      );
    },
    /** Clears both, for another file or another format. */
    reset() {
      proposing.drop();
      suggesting.drop();
      proposedFor = '';
      store.setState({ proposals: idle, fittingDatasets: idle });
    },
  };
}
