import * as z from 'zod';
import { call, nothing } from './call.ts';
import { folderPath, savedContent, savedList, savedPut, savedRemoval } from '../saved/saved.ts';

/** Saved queries. */
export const savedCalls = {
  list: call.input(nothing).output(savedList),
  /** Adds queries and folders; a query with an existing id replaces it. */
  put: call.input(savedPut).output(savedList),
  /** Also moves it: `to` may lie elsewhere. */
  renameFolder: call.input(z.object({ from: folderPath.min(1), to: folderPath.min(1) })).output(savedList),
  /** Returns the removed queries, for `put`. */
  remove: call.input(savedRemoval).output(z.object({ list: savedList, removed: savedContent })),
};
