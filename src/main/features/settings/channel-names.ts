import * as z from 'zod';
import { joinedNames, nameProblems, unknownChannels } from '../../../shared/channels/synonyms.ts';
import { AppError, type ErrorDetails, isAppError } from '../../../shared/errors/errors.ts';
import { checkSharedHead } from '../../../shared/files/shared-head.ts';
import { parseRelaxedObject } from '../../../shared/language/relaxed.ts';
import {
  type ChannelNames,
  channelNames,
  fieldUnits,
  type KeptSettings,
  type SettingsChange,
} from '../../../shared/settings/settings.ts';

const kind = 'wellbench-channel-names';
const format = 1;

const content = z.object({ channels: channelNames, units: fieldUnits.optional() });

/** The names of channels and the units of fields as text to share. */
export const channelNamesText = ({
  channelNames: channels = {},
  fieldUnits: units,
}: Pick<KeptSettings, 'channelNames' | 'fieldUnits'>): string =>
  `${JSON.stringify({ kind, format, channels, ...(units && { units }) }, null, 2)}\n`;

type Issue = ErrorDetails<'invalid_input'>['issues'][number];

/**
 * The change that adds the names and units of a shared file to the stored ones.
 * @param file its name, for errors
 * @throws AppError `file_unsuitable`, `file_too_new`; `invalid_input` with the line, or the member that is wrong
 */
export function withNamesOfFile(
  stored: ChannelNames,
  text: string,
  file: string,
): Pick<SettingsChange, 'channelNames' | 'fieldUnits'> {
  const parsed = parseFile(text.replace(/^\uFEFF/, ''), file);
  const reason = 'it contains no names of channels';
  checkSharedHead(parsed, { kind, format, wanted: 'channel_names', reason }, file);
  const { data, error } = content.safeParse(parsed);
  const issue = (message: string, path: readonly PropertyKey[]): Issue => ({
    message,
    place: { file, field: path.map(String).join('.') },
  });
  if (!data)
    throw new AppError('invalid_input', {
      issues: error.issues.map(({ message, path }) =>
        issue(message.endsWith('.') ? message : `${message}.`, path),
      ),
    });
  const joined = joinedNames(stored, data.channels);
  const issues = [
    ...unknownChannels(data.channels).map((name) =>
      issue('The dictionary doesn’t have this channel.', ['channels', name]),
    ),
    ...nameProblems(joined).map(({ channel, name, takenBy }) =>
      issue(
        takenBy === null
          ? `“${name}” has neither letters nor digits.`
          : `“${name}” is a name of ${takenBy} already. Remove it from one of them.`,
        ['channels', channel],
      ),
    ),
  ];
  if (issues.length > 0) throw new AppError('invalid_input', { issues });
  return { channelNames: joined, ...(data.units && { fieldUnits: data.units }) };
}

function parseFile(text: string, file: string): unknown {
  try {
    return parseRelaxedObject(text, 'channels');
  } catch (error) {
    if (!isAppError(error, 'invalid_input')) throw error;
    const issues = error.details.issues.map((issue) => ({ ...issue, place: { ...issue.place, file } }));
    throw new AppError('invalid_input', { issues }, { cause: error });
  }
}
