import { formatCount } from '../format/numbers.ts';
import { counted } from './counted.ts';

export const stages = {
  view: { label: 'Show stages as', text: 'Text', cards: 'Cards' },
  list: 'Stages',
  listHint: 'Alt+arrow keys move a stage, Delete removes it.',
  unreadable: 'This isn’t a valid array of stages. Fix it in the text view.',
  toText: 'Show text',
  empty: 'No stages yet. Add $match to select records.',
  loading: 'Loading builder…',
  add: 'Add stage',
  name: (at: number, operator: string | null) => `Stage ${String(at)}, ${operator ?? 'invalid'}`,
  off: 'disabled',
  move: (name: string) => `Move ${name}`,
  turnOn: (name: string) => `Enable ${name}`,
  remove: (name: string) => `Remove ${name}`,
  removed: (operator: string | null) => `${operator ?? 'Stage'} removed.`,
  undo: 'Undo',
  refused: {
    writes: 'This stage writes data, which queries aren’t allowed to do. Remove or disable it.',
    unknown: 'Unknown stage. Correct its name, or the service will reject it.',
    unreadable: 'Invalid stage. It must have one operator, such as { $match: { } }.',
  },
  refusedInRun: 'failed',
  showStage: 'Show stage',
  refusedShort: { writes: 'writes', unknown: 'unknown', unreadable: 'invalid' },
  stageText: (name: string) => `Text of ${name}`,
  choose: 'Select a stage to edit it and preview its output.',
  offNote: 'This stage is disabled and stored as a comment. Enable it to edit it.',
  preview: {
    heading: 'Output after this stage',
    sampled: (records: number) => `from the first ${formatCount(records)} input records`,
    documents: (count: number) => counted(count, 'document', 'documents'),
    loading: 'Loading preview…',
    none: 'No output from this stage.',
    switchedOff: 'Output without this disabled stage.',
  },
};
