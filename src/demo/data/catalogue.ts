import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { type Dataset, type DatasetDraft, makeDataset, definition, canSee } from './dataset.ts';
import { datasetTypes } from '../../shared/datasets/datasets.ts';
import { companyName } from '../platform/resource.ts';
import type { Answer, Call } from '../service.ts';
import { knownDataset } from './access.ts';

const witsUnits: JsonObject = {
  hole_depth: 'ft', bit_depth: 'ft', block_height: 'ft', rop: 'ft/h', weight_on_bit: 'klbf', hook_load: 'klbf',
  rotary_rpm: 'rpm', rotary_torque: 'ft·klbf', standpipe_pressure: 'psi', diff_press: 'psi', mud_flow_in: 'gal/min', mud_flow_out: 'gal/min',
  pump_spm_total: 'spm', gamma_ray: 'API', active_pit_volume: 'bbl',
}; // oxfmt-ignore

/** The datasets whose records are generated from the seed, by name. */
const sampleDrafts = {
  wits: {
    provider: 'demo',
    name: 'wits',
    friendlyName: 'WITS',
    description: 'Drilling data, one record a second',
    type: 'time',
    schema: { default_units: witsUnits },
  },
  depth: {
    provider: 'demo',
    name: 'drilling.wits.depth',
    friendlyName: 'Depth logs',
    description: 'Drilling data averaged by depth',
    type: 'depth',
    schema: {
      default_units: {
        dep: 'ft',
        tvd: 'ft',
        ropa: 'ft/h',
        wobavg: 'klbf',
        tqabav: 'ft·klbf',
        sppavg: 'psi',
        ghcavg: 'API',
      },
    },
  },
  completion: {
    provider: 'demo',
    name: 'completion.wits',
    friendlyName: 'Completion WITS',
    description: 'Stimulation data by stage, one record a second',
    type: 'time',
    schema: { data: { elapsed_time: 3600, wellhead_pressure: 9120 }, stage_number: 12 },
  },
  summary: {
    provider: 'demo',
    name: 'wits.summary-1ft',
    friendlyName: 'WITS summary, 1 ft',
    description: 'Min, max, and mean of each foot',
    type: 'depth',
    write: 'request',
  },
  sensors: {
    provider: 'demo',
    name: 'sensors.pad',
    friendlyName: 'Pad sensors',
    description: 'Weather and gas readings on the pad, every ten seconds',
    type: 'timeseries',
  },
  survey: {
    provider: 'demo',
    name: 'data.actual_survey',
    friendlyName: 'Actual surveys',
    description: 'Survey stations of each well',
    type: 'reference',
    schema: {
      default_units: {
        stations: {
          measured_depth: 'ft',
          inclination: 'deg',
          azimuth: 'deg',
          tvd: 'ft',
          northing: 'ft',
          easting: 'ft',
          dls: 'deg/100ft',
        },
      },
    },
  },
  formations: {
    provider: 'demo',
    name: 'data.formations',
    friendlyName: 'Formations',
    description: 'Formation tops',
    type: 'reference',
  },
  sections: {
    provider: 'demo',
    name: 'data.well-sections',
    friendlyName: 'Well sections',
    description: 'Hole sections with diameters and depths',
    type: 'reference',
    write: 'request',
  },
  stageTimes: {
    provider: 'demo',
    name: 'completion.stage-times',
    friendlyName: 'Stage times',
    description: 'When each stage was pumped',
    type: 'reference',
  },
} as const satisfies Record<string, DatasetDraft>;

type SampleName = keyof typeof sampleDrafts;

const upload = (name: string, type: DatasetDraft['type']): DatasetDraft => ({
  provider: 'demo',
  name: `uploads.${name}`,
  friendlyName: `Uploads (${name})`,
  description: `Empty dataset for your own files (${name})`,
  type,
});

const otherDrafts: readonly DatasetDraft[] = [
  upload('time', 'time'),
  upload('depth', 'depth'),
  upload('reference', 'reference'),
  upload('timeseries', 'timeseries'),
  {
    provider: 'demo',
    name: 'mudlog.trial',
    friendlyName: 'Mud log, trial',
    description: 'Trial without records',
    type: 'depth',
    temporary: true,
    plottable: false,
  },
  {
    provider: 'demo',
    name: 'frac.confidential',
    friendlyName: 'Frac design, confidential',
    description: 'Listed for everyone, access on request',
    type: 'time',
    read: 'request',
    write: 'request',
  },
  {
    provider: 'demo',
    name: 'production.allocated',
    friendlyName: 'Allocated production',
    description: 'Monthly volumes of the joint venture',
    type: 'reference',
    companyId: 2,
  },
];

const northernDraft: DatasetDraft = {
  provider: 'northern',
  name: 'wits',
  friendlyName: 'Northern WITS',
  description: "The other company's own",
  type: 'time',
  companyId: 2,
  hidden: true,
};

/** All datasets by `provider/name`. */
export interface Catalogue {
  readonly samples: Readonly<Record<SampleName, Dataset>>;
  /** The other company's drilling data, hidden from everyone else. */
  readonly northern: Dataset;
  readonly all: ReadonlyMap<string, Dataset>;
}

const areas = ['fluids', 'geology', 'cementing', 'logistics', 'safety', 'completion'] as const;

/** The datasets, with empty ones added to reach the number in the options. */
export function buildCatalogue(atLeast: number): Catalogue {
  let id = 0;
  const make = (draft: DatasetDraft): Dataset => makeDataset((id += 1), draft);
  const samples = {
    wits: make(sampleDrafts.wits),
    depth: make(sampleDrafts.depth),
    completion: make(sampleDrafts.completion),
    summary: make(sampleDrafts.summary),
    sensors: make(sampleDrafts.sensors),
    survey: make(sampleDrafts.survey),
    formations: make(sampleDrafts.formations),
    sections: make(sampleDrafts.sections),
    stageTimes: make(sampleDrafts.stageTimes),
  };
  const northern = make(northernDraft);
  const list = [...Object.values(samples), ...otherDrafts.map(make), northern];
  while (list.length < atLeast) list.push(make(filler(list.length)));
  return {
    samples,
    northern,
    all: new Map(list.map((dataset) => [`${dataset.provider}/${dataset.name}`, dataset])),
  };
}

function filler(at: number): DatasetDraft {
  const area = areas[at % areas.length] ?? 'fluids';
  const type = datasetTypes[at % datasetTypes.length] ?? 'time';
  return {
    provider: 'demo',
    name: `${area}.report-${String(at).padStart(4, '0')}`,
    friendlyName: `Report ${String(at)}, ${area}`,
    description: '',
    type,
    companyId: at % 5 === 4 ? 2 : 1,
  };
}

/** `GET /api/v1/dataset/`: the definitions that are visible to the sender (specification, section 4.1). */
export function listDatasets({ service, identity, params }: Call): Answer {
  const search = (params.text('search') ?? '').toLowerCase();
  const plottable = params.flag('plottable');
  const temporary = params.flag('temporary');
  const datasets = [...service.catalogue.all.values()].filter(
    (dataset) =>
      canSee(identity, dataset) &&
      dataset.name.toLowerCase().includes(search) &&
      (plottable === undefined || dataset.plottable === plottable) &&
      (temporary === undefined || dataset.temporary === temporary),
  );
  return { status: 200, body: JSON.stringify(datasets.map((dataset) => definition(dataset, false))) };
}

/** `GET /api/v1/dataset/company/`: the datasets by company name. */
export function listByCompany({ service, identity, params }: Call): Answer {
  const type = params.word('type', datasetTypes);
  const plottable = params.flag('plottable');
  const byCompany: Record<string, JsonValue[]> = {};
  for (const dataset of service.catalogue.all.values()) {
    if (!canSee(identity, dataset)) continue;
    if (type !== undefined && dataset.type !== type) continue;
    if (plottable !== undefined && dataset.plottable !== plottable) continue;
    const list = (byCompany[companyName(service.world, dataset.companyId)] ??= []);
    list.push({ id: dataset.id, provider: dataset.provider, name: dataset.name, type: dataset.type });
  }
  return { status: 200, body: JSON.stringify(byCompany) };
}

/** `GET /api/v1/dataset/{provider}/{name}/`: one definition, with its indexes and statistics. */
export function singleDataset({ service, identity }: Call, provider: string, name: string): Answer {
  const dataset = knownDataset(service.catalogue.all, identity, provider, name);
  return { status: 200, body: JSON.stringify(definition(dataset, true)) };
}
