import { Copy, FileDown, type LucideIcon, MapPin, Minus, Plus, SquareCheck } from 'lucide-react';
import { csvCell } from '../../../shared/csv.ts';
import { toAppError } from '../../../shared/errors/errors.ts';
import { featureCollection } from '../../../shared/wells/geojson.ts';
import type { PlatformEntity, Well } from '../../../shared/wells/wells.ts';
import { suggestedName } from '../../format/file-name.ts';
import { createSheet } from '../../format/sheet-html.ts';
import { useApp, useSession } from '../../contexts.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import type { ListColumn } from '../../ui/grid/list-grid.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { hasAssetId } from '../../../shared/wells/scope.ts';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';

/** What can be done with the selected rows of the table of wells. */
export interface RowAction {
  readonly id: 'add' | 'only' | 'remove' | 'copy' | 'csv' | 'geojson';
  readonly icon: LucideIcon;
  readonly text: string;
  readonly run: () => void;
}

const w = words.wells.browse;
const tsvCell = (text: string): string => text.replaceAll(/[\t\r\n]+/g, ' ');

/** A well with the names of the platform, as the command line writes it. */
const entityOf = (well: Well): PlatformEntity => ({
  id: well.platformId,
  type: 'well',
  attributes: {
    name: well.name,
    asset_id: well.assetId,
    api_number: well.apiNumber,
    status: well.status,
    state: well.state,
    area: well.area,
    company_id: well.companyId,
    timezone: well.timeZone,
    lon_lat: well.position,
  },
});

/**
 * The actions that apply to the selected rows; none without rows.
 * @param onNotice gets what was copied or saved, or why it couldn't be
 */
export function useRowActions(
  wells: readonly Well[],
  columns: readonly ListColumn<Well>[],
  onNotice: (notice: string) => void,
): readonly RowAction[] {
  const selection = useSelectedWells();
  const { changeSelection, selectWells } = useSession().wells.actions;
  const { save } = useApp();
  if (wells.length === 0) return [];
  const selected = new Set<string | number>(selection.map(({ platformId }) => platformId));
  const isSelected = ({ platformId }: Well) => selected.has(platformId);
  const linesOf = (cell: (text: string) => string, delimiter: string): string =>
    [columns.map(({ header }) => header), ...wells.map((well) => columns.map(({ text }) => text(well) ?? ''))]
      .map((cells) => `${cells.map(cell).join(delimiter)}\r\n`)
      .join('');
  const copy = async () => {
    const sheet = createSheet();
    sheet.add(columns.map(({ header }) => header));
    for (const well of wells)
      sheet.add(columns.map(({ text, sheetValue }) => (sheetValue ? sheetValue(well) : text(well))));
    const html = sheet.html();
    const note = html === null ? ` ${words.copiedTextOnly}` : '';
    if (await copyText(linesOf(tsvCell, '\t'), html)) onNotice(w.copied(wells.length) + note);
  };
  const saveAs = async (ending: string, content: Blob) => {
    const name = suggestedName(w.fileName, new Date()).replace(/\.csv$/, ending);
    try {
      if (await save(name, content)) onNotice(w.saved(wells.length));
    } catch (error) {
      onNotice(toAppError(error).message);
    }
  };
  const saveCsv = () => saveAs('.csv', new Blob([linesOf(csvCell, ',')], { type: 'text/csv;charset=utf-8' }));
  const saveGeoJson = () =>
    saveAs(
      '.geojson',
      new Blob([JSON.stringify(featureCollection(wells.map(entityOf)))], { type: 'application/geo+json' }),
    );
  const actions: (RowAction | false)[] = [
    wells.some((well) => hasAssetId(well) && !isSelected(well)) && {
      id: 'add',
      icon: Plus,
      text: w.choose,
      run: () => changeSelection(wells),
    },
    wells.some(hasAssetId) && {
      id: 'only',
      icon: SquareCheck,
      text: w.chooseOnly,
      run: () => selectWells(wells),
    },
    wells.some(isSelected) && {
      id: 'remove',
      icon: Minus,
      text: w.unchoose,
      run: () => changeSelection([], new Set(wells.map(({ platformId }) => platformId))),
    },
    { id: 'copy', icon: Copy, text: w.copyRows, run: () => void copy() },
    { id: 'csv', icon: FileDown, text: w.saveRows, run: () => void saveCsv() },
    wells.some(({ position }) => position !== null) && {
      id: 'geojson',
      icon: MapPin,
      text: w.saveGeoJson,
      run: () => void saveGeoJson(),
    },
  ];
  return actions.filter((action) => action !== false);
}

interface RowActionBarProps {
  readonly wells: readonly Well[];
  readonly actions: readonly RowAction[];
  readonly notice: string;
}

/** The actions for the selected rows, in a line below the table. */
export function RowActionBar({ wells, actions, notice }: RowActionBarProps) {
  const [first] = wells;
  if (!first) return <p className="browse-selected row wrap quiet">{w.selectHint}</p>;
  return (
    <div className="browse-selected row wrap">
      <strong className="ellipsis">{wells.length === 1 ? first.name : w.rows(wells.length)}</strong>
      {actions.map(({ id, icon, text, run }) => (
        <Button key={id} variant="quiet" icon={icon} onPress={run}>
          {text}
        </Button>
      ))}
      {!wells.some(hasAssetId) && <span className="quiet">{words.wells.noAssetNote}</span>}
      <Status className="quiet">{notice}</Status>
    </div>
  );
}
