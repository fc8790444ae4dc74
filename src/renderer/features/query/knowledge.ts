import { useMemo } from 'react';
import type { KnownWell } from '../../../shared/language/knowledge.ts';
import { useSession, useSessionState, useTab, useTabState } from '../../state/contexts.ts';
import { useLearnt } from './editing/use-learnt.ts';
import type { EditorKnowledge } from './editing/language.ts';

/** What is known where the texts of a tab are typed. The same object as long as nothing in it has changed. */
export function useKnowledge(): EditorKnowledge {
  const { dataset, values } = useTab('query');
  const { indexes, fields } = useLearnt(dataset);
  // Other wells mean other answers.
  const list = useSessionState('wells', (state) => state.list);
  const { mentioned } = useSession().wells.actions;
  const chosen = useSessionState('wells', (state) => state.chosen);
  const answers = useTabState('query', (state) => state.text.answers);
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
