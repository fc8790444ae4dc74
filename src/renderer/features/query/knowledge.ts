import { useMemo } from 'react';
import type { Knowledge } from '../../../shared/language/knowledge.ts';
import { useWells } from '../wells/context.ts';
import { useTab, useTabState } from './context.ts';
import { useLearnt } from './editing/context.ts';

/** What is known where the texts of a tab are typed. The same object as long as nothing in it has changed. */
export function useKnowledge(): Knowledge {
  const { dataset, values } = useTab();
  const { indexes, fields } = useLearnt(dataset);
  const list = useWells((state) => state.list);
  const chosen = useWells((state) => state.chosen);
  const answers = useTabState((state) => state.text.answers);
  return useMemo(() => {
    const { wells, company, zone } = values();
    return {
      type: dataset.type,
      indexes,
      fields,
      wells: list.face === 'full' ? list.value : chosen,
      values: { wells, company, zone, asked: new Map(Object.entries(answers)) },
    };
  }, [dataset, values, indexes, fields, list, chosen, answers]);
}
