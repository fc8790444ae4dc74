import * as z from 'zod';
import type { calls } from '../../shared/contract/contract.ts';
import { invalidInput } from '../../shared/errors/errors.ts';
import { mostTemplates, uploadTemplate, type UploadTemplate } from '../../shared/upload/templates.ts';
import { openSharedFile } from '../files/shared-file.ts';
import type { RoomHandlers } from '../handlers.ts';

/** The format of the file. */
const format = 1;

const whole = z.object({ format: z.int(), templates: z.array(z.unknown()) });

/** What of the file can be read; a template that is damaged does not take the others with it. */
function templatesIn(content: unknown): { value: UploadTemplate[]; partly: boolean } | null {
  const { success, data } = whole.safeParse(content);
  if (!success) return null;
  const value = data.templates.flatMap((item) => uploadTemplate.safeParse(item).data ?? []);
  return { value, partly: value.length < data.templates.length };
}

export type TemplateCalls = 'templates' | 'keepTemplate' | 'removeTemplate';

/**
 * The mappings that a person keeps: `<data>/upload-templates.json`, written whole under its lock, beneath which it is
 * read again first, so that several windows and hosts change it side by side.
 * @param warn told of what was damaged, and where it was put
 */
export function createTemplates(
  dataFolder: string,
  warn: (sentence: string) => void,
): Pick<RoomHandlers<(typeof calls)['upload']>, TemplateCalls> {
  // What was set aside is said until the window has heard it once.
  let problem: string | null = null;
  const { locked, write } = openSharedFile({
    dataFolder,
    name: 'upload-templates',
    format,
    nothing: [],
    read: templatesIn,
    onDamage(aside, all) {
      const lost = all ? 'The templates of uploads' : 'Some of the templates of uploads';
      problem = `${lost} could not be read. What was kept of them is now ${aside}.`;
      warn(`${problem} It lies in ${dataFolder}.`);
    },
  });

  const answer = (templates: UploadTemplate[]) => {
    const said = { templates: templates.toSorted((a, b) => a.name.localeCompare(b.name)), problem };
    problem = null;
    return said;
  };
  const change = (edit: (now: UploadTemplate[]) => UploadTemplate[]) =>
    locked(async (now) => {
      const templates = edit(now);
      if (templates.length > mostTemplates)
        throw invalidInput(`No more than ${mostTemplates} templates can be kept. Remove some first.`);
      await write({ templates });
      return answer(templates);
    });

  return {
    templates: () => locked(async (now) => answer(now)),
    keepTemplate: (template) => change((now) => [...now.filter(({ id }) => id !== template.id), template]),
    removeTemplate: ({ id }) => change((now) => now.filter((template) => template.id !== id)),
  };
}
