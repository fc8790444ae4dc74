import { basename } from 'node:path';
import {
  type Proposals,
  wellNamesRequest,
  type WellCandidate,
} from '../../../../src/shared/upload/proposals.ts';
import { createValidation } from '../../../../src/main/core/mapping/validation.ts';
import type { Services } from '../../../../src/main/core/wire/services/services.ts';
import type { UploadDependencies } from '../../../../src/renderer/features/upload/upload-state.ts';
import { createUploadTab } from '../../../../src/renderer/features/upload/upload-tab.ts';
import type { ScopedWell } from '../../../../src/shared/wells/wells.ts';
import {
  dataset as datasetSchema,
  type Dataset,
  type DatasetType,
} from '../../../../src/shared/datasets/datasets.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { storedUnitsOf } from '../../../../src/shared/datasets/fields.ts';
import type { GrantedFile } from '../../../../src/shared/files/files.ts';
import { countRequest, type CountRequest } from '../../../../src/shared/query/query.ts';
import { inspectRequest, uploadRequest, type UploadRequest } from '../../../../src/shared/upload/upload.ts';
import type { UploadOrigin } from '../../../../src/shared/upload/result.ts';
import { matchRequest, previewRequest, wellZoneRequest } from '../../../../src/shared/upload/preview.ts';
import {
  lastMapping,
  uploadTemplate,
  type LastMapping,
  type TemplateList,
  type UploadTemplate,
} from '../../../../src/shared/upload/templates.ts';
import { inProcessThread, readingWith } from '../../../main/features/upload/support/uploads.ts';

export const datasetOf = (type: DatasetType, name = `uploads.${type}`): Dataset =>
  datasetSchema.parse({
    provider: 'demo',
    dataset: name,
    id: 1,
    companyId: 1,
    friendlyName: name,
    description: '',
    type,
    typeSaid: type,
    plottable: true,
    temporary: false,
    permissions: {},
    indexes: [],
    statistics: { size: null, count: null, storageSize: null, indexSize: null },
    schema: {},
  });

/** Templates as the main process stores them, in memory. */
export function templateCalls() {
  let kept: UploadTemplate[] = [];
  let last: LastMapping[] = [];
  const answer = async (): Promise<TemplateList> => ({ templates: kept, problem: null });
  return {
    lastMapping: async ({ header, type }: Pick<LastMapping, 'header' | 'type'>) =>
      last.find((each) => each.type === type && each.header.join() === header.join()) ?? null,
    async keepLastMapping(input: unknown) {
      last = [lastMapping.parse(input), ...last];
      return {};
    },
    templates: answer,
    async keepTemplate(input: unknown) {
      const template = uploadTemplate.parse(input);
      kept = [...kept.filter(({ id }) => id !== template.id), template];
      return answer();
    },
    async removeTemplate({ id }: { id: string }) {
      kept = kept.filter((template) => template.id !== id);
      return answer();
    },
  };
}

/** A platform that lists wells by their asset ids, and nothing else. */
export const platformWith = (
  findWells: (assets: readonly number[]) => Promise<readonly ScopedWell[]>,
): Services =>
  ({
    platform: {
      list: async (_: string, params: { readonly asset_id: readonly number[] }) =>
        (await findWells(params.asset_id)).map(({ assetId, name, timeZone }) => ({
          id: assetId,
          type: 'well',
          attributes: { asset_id: assetId, name, timezone: timeZone },
        })),
    },
  }) as unknown as Services;

/** An upload's tab with the real engine: files are really read, starts are only logged. */
export function uploadTab({
  dataset = null,
  wells = [],
  listed = [],
  connection = 'test',
  stored = templateCalls(),
  origin = null,
  fields = [],
  requiresWell = false,
  propose = async () => ({
    columns: [],
    fields,
    storedUnits: storedUnitsOf(fields),
    requiresWell,
    otherIndex: null,
  }),
  wellsInName = [],
  findWells = async (assets) => listed.filter((well) => assets.includes(well.assetId)),
  platformOf,
  isFileAvailable = async () => true,
  chooseSources = async () => [],
  waitForJob = () => Promise.reject(new Error('not called')),
  transferFile = async (file) => {
    throw new AppError('file_unreadable', { file: file.name, reason: 'it is a folder' });
  },
}: {
  dataset?: Dataset | null;
  wells?: ScopedWell[];
  connection?: string;
  /** The templates and last mappings of the data folder. */
  stored?: ReturnType<typeof templateCalls>;
  /** All wells of the connection. */
  listed?: ScopedWell[];
  /** Returns the wells that match a name. */
  platformOf?: () => Services;
  /** The upload whose rejected rows the file contains. */
  origin?: UploadOrigin | null;
  /** The fields of the dataset. */
  fields?: Proposals['fields'];
  requiresWell?: boolean;
  propose?: () => Promise<Proposals>;
  /** The wells that the name of the file has. */
  wellsInName?: readonly WellCandidate[];
  findWells?: (assets: readonly number[]) => Promise<readonly ScopedWell[]>;
  /** Whether main still has the file of a token. */
  isFileAvailable?: () => Promise<boolean>;
  chooseSources?: UploadDependencies['api']['files']['chooseSources'];
  transferFile?: UploadDependencies['transferFile'];
  waitForJob?: UploadDependencies['waitForJob'] | undefined;
} = {}) {
  const paths = new Map<string, string>();
  const granted = new Map<string, GrantedFile>();
  const started: UploadRequest[] = [];
  const dropped: string[] = [];
  const resumed: string[] = [];
  const counted: CountRequest[] = [];
  const validation = createValidation({
    files: {
      source(token) {
        const path = paths.get(token) ?? '';
        return { place: 'path', path, name: basename(path) };
      },
    },
    connections: { services: platformOf ?? (() => platformWith(findWells)) },
    store: { related: async () => [], plan: async () => null },
    ...readingWith(inProcessThread),
  });
  let refusal: AppError | null = null;
  const running = new Set<Promise<unknown>>();
  const calls: string[] = [];
  const logged = <T>(name: string, call: Promise<T>): Promise<T> => {
    calls.push(name);
    return watched(call);
  };
  const watched = <T>(call: Promise<T>): Promise<T> => {
    const done = call.finally(() => running.delete(done));
    running.add(done);
    return done;
  };
  const upload = {
    preview: (input: unknown) => logged('preview', validation.preview(previewRequest.parse(input), {})),
    inspect: (input: unknown) => logged('inspect', validation.inspect(inspectRequest.parse(input), {})),
    match: (input: unknown) => logged('match', validation.match(matchRequest.parse(input), {})),
    wellsInName: async () => [...wellsInName],
    wells: (input: unknown) =>
      platformOf ? logged('wells', validation.wells(wellNamesRequest.parse(input), {})) : Promise.resolve([]),
    wellZone: (input: unknown) => watched(validation.wellZone(wellZoneRequest.parse(input), {})),
    ...stored,
    propose: () => logged('propose', propose()),
    datasetsFor: async () => [],
    origin: async () => origin,
    rejected: () => Promise.reject(new Error('not called')),
    sendFixed: () => Promise.reject(new Error('not called')),
    start: async (input: unknown) => {
      started.push(uploadRequest.parse(input));
      if (refusal) throw refusal;
      return { job: `job-000${started.length}` };
    },
  };
  const notCalled = () => Promise.reject(new Error('not called'));
  const tab = createUploadTab(
    {
      api: {
        upload,
        query: {
          async count(input) {
            counted.push(countRequest.parse(input));
            return { count: 7, ms: 1 };
          },
        },
        files: {
          chooseSources,
          sample: async () => {
            throw new AppError('file_unreadable', { file: 'sample.csv', reason: 'it is a folder' });
          },
          find: ({ token }) =>
            watched(isFileAvailable().then((isAvailable) => (isAvailable && granted.get(token)) || null)),
        },
        quality: { report: notCalled, start: notCalled, compare: notCalled, compareFile: notCalled },
      },
      transferFile,
      findDataset: async ({ dataset: name }) => datasetOf('time', name),
      resumeJob: async (job) => void resumed.push(job),
      removeJob: async (job) => void dropped.push(job),
      waitForJob,
      connection,
      selectedWells: () => wells,
    },
    { dataset },
  );
  const grant = (path: string): GrantedFile => {
    const token = `token-${paths.size}`.padEnd(24, 'x');
    paths.set(token, path);
    const file = { token, name: basename(path), bytes: null };
    granted.set(token, file);
    return file;
  };
  /** Waits until all work has finished, with its consequences. */
  async function settled(): Promise<void> {
    do {
      await Promise.allSettled(running);
      await new Promise((resolve) => setImmediate(resolve));
    } while (running.size > 0);
  }
  return {
    ...tab,
    grant,
    settled,
    started,
    dropped,
    resumed,
    counted,
    /** The calls about the file so far. */
    calls,
    refuse: (error: AppError | null) => (refusal = error),
    state: () => tab.store.getState(),
  };
}
