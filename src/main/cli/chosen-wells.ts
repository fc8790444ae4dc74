import type { Command } from 'commander';
import * as z from 'zod';
import { gather, several, whole } from './options.ts';

const ids = several.pipe(z.array(whole.pipe(z.int().min(0))).max(10_000)).default([]);

/** The options of {@link addWellOptions}, as the contract wants them. */
export const wellOptions = { assetId: ids, companyId: ids };

/** Adds the options that name wells, and their companies for datasets that belong to companies. */
export function addWellOptions(command: Command, what: string): Command {
  return command
    .option('--asset-id <id>', `${what} these wells, by asset id; commas between several`, gather)
    .option('--company-id <id>', 'their companies, for datasets that belong to companies', gather);
}
