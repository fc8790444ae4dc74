import { createContext, use } from 'react';
import type { ExportActions } from './export.ts';

const context = createContext<ExportActions | null>(null);

export const ProvideExport = context.Provider;

export function useExportActions(): ExportActions {
  const actions = use(context);
  if (!actions) throw new Error('the feature export is not provided here');
  return actions;
}
