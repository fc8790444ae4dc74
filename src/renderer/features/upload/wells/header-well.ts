import { fillField, isAssetPath, wellConstant, type MappingChoices } from '../columns/mapping-choices.ts';
import { isConverted, type UploadTabState } from '../upload-state.ts';

type HeaderState = Pick<UploadTabState, 'preview' | 'match' | 'choices'>;

/** Whether only the header of the file names a well, and none is selected yet. */
export function needsHeaderWell({ preview, match, choices }: HeaderState): boolean {
  if (preview.status !== 'loaded' || !isConverted(preview.value) || !match.value) return false;
  const { columns, wellColumns } = match.value;
  const isNamed = wellColumns.length > 0 && wellColumns.every(({ column }) => column === null);
  return isNamed && !columns.some(({ kind }) => kind === 'asset') && wellConstant(choices) === null;
}

/** The choices with the well that the header of the file names; null: it names none, or several, that are known. */
export function withHeaderWell(
  state: HeaderState & Pick<UploadTabState, 'wellNames'>,
): MappingChoices | null {
  const { choices, match, wellNames } = state;
  const path = match.value?.fields.find((field) => isAssetPath(field.path))?.path;
  if (!needsHeaderWell(state) || wellNames.status !== 'loaded' || path === undefined) return null;
  const ids = wellNames.value.flatMap(({ names }) => names.flatMap(({ assetId }) => assetId ?? []));
  const [only, ...otherIds] = new Set(ids);
  if (only === undefined || otherIds.length > 0) return null;
  return fillField(choices, path, [], { from: 'constant', text: String(only) });
}
