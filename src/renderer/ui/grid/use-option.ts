import type { GridApi, ManagedGridOptionKey, ManagedGridOptions } from 'ag-grid-community';
import { useEffect } from 'react';

/** Tells a grid that stands of another value; whoever renders keeps it the same while it says the same. */
export function useOption<Row, Key extends ManagedGridOptionKey>(
  api: GridApi<Row> | null,
  key: Key,
  value: ManagedGridOptions<Row>[Key],
): void {
  useEffect(() => {
    // What it was made with it has; told of it again it would make its columns, or rows, anew.
    if (api && api.getGridOption(key) !== value) api.setGridOption(key, value);
  }, [api, key, value]);
}
