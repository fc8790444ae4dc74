import { useMemo } from 'react';
import type { KnownWell } from '../../../shared/language/knowledge.ts';
import { useWells, useWellsActions } from '../wells/context.ts';
import { useTab, useTabState } from './context.ts';
import { useLearnt } from './editing/context.ts';
import type { EditorKnowledge } from './editing/language-thread.ts';

/** What is known where the texts of a tab are typed. The same object as long as nothing in it has changed. */
export function useKnowledge(): EditorKnowledge {
  const { dataset, values } = useTab();
  const { indexes, fields } = useLearnt(dataset);
  // Other wells mean other answers.
  const list = useWells((state) => state.list);
  const { mentioned } = useWellsActions();
  const chosen = useWells((state) => state.chosen);
  const answers = useTabState((state) => state.text.answers);
  return useMemo(() => {
    const { wells, company, zone } = values();
    return {
      fixed: {
        type: dataset.type,
        indexes,
        fields,
        wells: chosen.map(known),
        values: { wells, company, zone, asked: new Map(Object.entries(answers)) },
      },
      wellsIn: async (mentions) => (list.face === 'full' ? (await mentioned(mentions)).map(known) : []),
    };
  }, [dataset, values, indexes, fields, list, mentioned, chosen, answers]);
}

const known = ({ name, assetId, platformId }: KnownWell): KnownWell => ({ name, assetId, platformId });
