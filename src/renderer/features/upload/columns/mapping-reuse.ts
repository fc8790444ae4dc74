import { matchesHeader } from '../../../../shared/upload/template-header.ts';
import type { UploadTemplate } from '../../../../shared/upload/templates.ts';
import type { createOwnWell } from '../wells/own-well.ts';
import { queuedChoices, queuedWell } from '../queue/queued-well.ts';
import type { UploadStore, UploadTabState } from '../upload-state.ts';
import type { MappingChoices } from './mapping-choices.ts';
import type { createMatching } from './matching.ts';
import { hasMostColumns, headerOf, readingFor, tableOfFiles, type TableOfFiles } from './table-of-files.ts';
import { choicesInUnits, hasSameUnits, type createTemplates } from './templates.ts';

interface MappingReuseDependencies {
  readonly matching: Pick<ReturnType<typeof createMatching>, 'reset' | 'resetFillIn' | 'resetProposals'>;
  readonly templates: ReturnType<typeof createTemplates>;
  /** Sets new choices and matches the columns again. */
  readonly setChoices: (choices: MappingChoices) => void;
  /** Reads the file and matches its columns. */
  readonly readFile: () => Promise<void>;
  readonly ownWell: Pick<ReturnType<typeof createOwnWell>, 'find'>;
  /** Resolves once the columns are matched and the wells are known, with whether the file can be sent. */
  readonly prepare: () => Promise<boolean>;
}

/** Uses mappings of other files: those of templates, the last one, and that of another file of the queue. */
export function createMappingReuse(
  { getState, setState }: UploadStore,
  { matching, templates, setChoices, readFile, prepare, ownWell }: MappingReuseDependencies,
) {
  // Once for each file and type of dataset: a person may want another mapping.
  let isOffered = false;

  /** Reads the table of other files, if the file has it. @returns whether it is read now */
  async function readTable(table: TableOfFiles): Promise<boolean> {
    const reading = readingFor(getState(), table);
    if (reading) {
      setState({ reading });
      await readFile();
    }
    return matchesHeader(headerOf(getState()), table);
  }

  return {
    /** Uses the mapping of the only template for this header, or of the last file with it, once. */
    async offerEarlier(): Promise<void> {
      const { dataset, preview } = getState();
      if (isOffered || !dataset || preview.status !== 'loaded') return;
      isOffered = true;
      await templates.applyEarlier();
    },
    /** Whether an earlier mapping counts as offered. */
    setOffered(isNowOffered: boolean): void {
      isOffered = isNowOffered;
    },
    actions: {
      /** Restores the choices from before an earlier mapping was used. */
      undoEarlierMapping() {
        const { earlierMapping } = getState();
        if (!earlierMapping) return;
        matching.resetFillIn();
        matching.resetProposals();
        setState({ earlierMapping: null, unitDifferences: [] });
        setChoices(earlierMapping.before);
      },
      loadTemplates: templates.load,
      saveTemplate: templates.save,
      renameTemplate: templates.rename,
      removeTemplate: templates.remove,
      /** Sets the choices of a template, of another table of the file where the template is for that. */
      async applyTemplate(template: UploadTemplate) {
        if (!(await readTable(template))) return;
        const { choices, unitDifferences } = choicesInUnits(template, getState());
        setState({
          unitDifferences,
          earlierMapping: { template: template.name, before: getState().choices },
        });
        setChoices(choices);
      },
      /**
       * Copies the choices of another file, if this one has the same table or most of its columns; its other columns are
       * matched by name. A selected table stays if it has that header. The well is that of this file.
       * @returns whether this file can be sent with them
       */
      async copySettings(first: UploadTabState): Promise<boolean> {
        const { dataset, existing } = first;
        const table = tableOfFiles(first);
        const isTable = matchesHeader(headerOf(getState()), table) || (await readTable(table));
        if (!isTable && !hasMostColumns(first, getState())) return false;
        // Values in another unit would be converted like those of that file, and nobody would notice.
        if (!hasSameUnits(getState(), first)) return false;
        await ownWell.find();
        if (queuedWell(first, getState()).from === 'missing') return false;
        const choices = queuedChoices(first, getState());
        setState({
          dataset,
          isDatasetAssumed: false,
          choices,
          existing,
          earlierMapping: null,
          unitDifferences: [],
        });
        isOffered = true;
        matching.reset();
        const isReady = await prepare();
        // Queued uploads are checked when their turn comes.
        if (isReady) setState({ step: 'check', isQueued: true });
        return isReady;
      },
    },
  };
}
