import { Option } from 'commander';
import type { Command } from 'commander';
import * as z from 'zod';
import { platformResource } from '../../../shared/wells/platform-filters.ts';
import type { Cli } from '../context.ts';
import { entityFormats, writeEntities } from '../entities.ts';
import { filterOptions } from '../filters.ts';
import { parseOptions } from '../options.ts';
import { withConnection } from '../session.ts';

const formatOption = z.object({ format: z.enum(entityFormats) });

/** `wells`, `assets`, `programs`, `pads`, `rigs`, `drillout-units`, `frac-fleets`. */
export function define(command: Command, cli: Cli): void {
  const resource = platformResource.parse(command.name().replaceAll('-', '_'));
  const filters = filterOptions(resource);
  for (const option of filters.options) command.addOption(option);
  command
    .addOption(new Option('--format <format>', 'output format').choices(entityFormats).default('table'))
    .action(
      cli.run(async (typed: unknown) => {
        const filter = filters.read(typed);
        const { format } = parseOptions(formatOption, typed);
        const count = await withConnection(cli, async ({ client, connection, options }) =>
          writeEntities(cli.out, await client.wells.entities({ connection, resource, filter }, options), {
            resource,
            format,
            all: filter['fields'] !== undefined,
          }),
        );
        return { summary: { count } };
      }),
    );
}
