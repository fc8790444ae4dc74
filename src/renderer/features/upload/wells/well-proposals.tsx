import type { MatchedField } from '../../../../shared/upload/preview.ts';
import { Button } from '../../../ui/button.tsx';
import { words } from '../../../words/words.ts';
import { useTab, useTabState } from '../../../contexts.ts';
import { useTabWells } from '../../tabs/use-tab-wells.ts';

const w = words.upload.wells;
/** More selected wells are found by their name. */
const maxSelected = 3;

/** The wells that the file or the selection proposes for all rows. */
export function WellProposals({ field }: { field: MatchedField }) {
  const { actions } = useTab('upload');
  const own = useTabState('upload', ({ ownWell }) =>
    ownWell.status === 'loaded' ? ownWell.value.well : null,
  );
  const selected = useTabWells();
  const named = own === null || own.from === 'rows' ? [] : [{ ...own, text: w.proposed[own.from](own.name) }];
  const wells = selected.flatMap(({ assetId, name }) =>
    assetId === null || named.some((each) => each.assetId === assetId)
      ? []
      : [{ assetId, text: w.proposed.selection(name) }],
  );
  return [...named, ...wells.slice(0, maxSelected)].map(({ assetId, text }) => (
    <Button
      key={assetId}
      onPress={() => actions.fill(field.path, { from: 'constant', text: String(assetId) })}
    >
      {text}
    </Button>
  ));
}
