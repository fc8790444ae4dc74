import { createContext, use } from 'react';
import { useStore } from 'zustand';
import type { UploadTabState } from './upload-state.ts';
import type { UploadTab } from './upload-tab-types.ts';
import type { Uploads } from './uploads.ts';

const tabContext = createContext<UploadTab | null>(null);
const uploadsContext = createContext<Uploads | null>(null);

/** Gives the components of an upload the tab they belong to. */
export const ProvideUploadTab = tabContext.Provider;

/** Gives every part of the window the ways to an upload. */
export const ProvideUploads = uploadsContext.Provider;

/** The upload that a component belongs to. */
export function useUpload(): UploadTab {
  const tab = use(tabContext);
  if (!tab) throw new Error('no upload is provided here');
  return tab;
}

/** What a component needs of its upload's state. */
export function useUploadState<Part>(select: (state: UploadTabState) => Part): Part {
  return useStore(useUpload().store, select);
}

/** The ways to an upload. */
export function useUploads(): Uploads {
  const uploads = use(uploadsContext);
  if (!uploads) throw new Error('the feature upload is not provided here');
  return uploads;
}
