import { describe, expect, it, vi } from 'vitest';
import { firstChoice, groupFields, inKind } from '../../../../src/renderer/features/plot/first-choice.ts';
import { axisOf, createPlot } from '../../../../src/renderer/features/plot/plot.ts';
import { createScene } from '../../../../src/renderer/features/plot/scene.ts';
import type { PlotField, PlotSource } from '../../../../src/renderer/features/plot/source.ts';
import { createThinner } from '../../../../src/renderer/features/plot/thinner.ts';
import { createPlotHost } from '../../../../src/renderer/features/plot/thinning.ts';
import { serve } from '../../../../src/shared/threads.ts';
import { portPair } from '../../../support/threads.ts';
import { maxPlotFields, plotChoice } from '../../../../src/shared/tabs/plot.ts';
import { noSynonyms } from '../../../../src/shared/channels/channels.ts';

const field = (id: string, kind: PlotField['kind'] = 'number'): PlotField => ({ id, kind });
const wits = [
  field('timestamp', 'time'),
  field('asset_id', 'integer'),
  field('data.hole_depth'),
  field('data.hook_load'),
  field('data.rop'),
  field('data.weight_on_bit'),
  field('data.state', 'text'),
];

/** Both sides of the plot thread, on one thread: messages are copied as between two. */
const thinnerBeside = () =>
  createThinner(() => {
    const { ends } = portPair();
    serve(ends[1], createPlotHost());
    return ends[0];
  });
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function sourceOf(rows: number): PlotSource {
  const column = (of: (row: number) => number) => Float64Array.from({ length: rows }, (_, row) => of(row));
  return {
    rows,
    part: null,
    fields: wits,
    numbers: async (ids) => ids.map((id) => (id === 'timestamp' ? column((row) => row) : column(Math.sqrt))),
    groups: async () => ({ codes: Uint16Array.from(column((row) => row % 2)), names: [['1'], ['2']] }),
  };
}

describe('the default fields of a plot', () => {
  it('are the default channel over the index of the dataset’s type', () => {
    expect(firstChoice('time', wits, noSynonyms)).toEqual({
      kind: 'lines',
      x: 'timestamp',
      y: ['data.rop', 'data.weight_on_bit'],
      align: 'recorded',
    });
    const depth = [
      field('measured_depth'),
      field('log_identifier', 'text'),
      field('asset_id'),
      field('data.gr'),
    ];
    expect(firstChoice('depth', depth, noSynonyms)).toMatchObject({
      kind: 'tracks',
      x: 'measured_depth',
      y: ['data.gr'],
    });
    expect(groupFields('depth', depth)).toEqual(['asset_id', 'log_identifier']);
    const reference = [field('data.a'), field('data.b')];
    expect(firstChoice('reference', reference, noSynonyms)).toMatchObject({
      kind: 'scatter',
      x: 'data.a',
      y: ['data.b'],
    });
    expect(firstChoice('time', [field('data.state', 'text')], noSynonyms)).toBeNull();
  });

  it('stay plain data, and keep the plot type', () => {
    const first = firstChoice('time', wits, noSynonyms);
    if (!first) throw new Error('nothing to plot');
    expect(plotChoice.parse(JSON.parse(JSON.stringify(first)))).toEqual(first);
    const tracks = inKind('tracks', first, 'time', wits);
    expect(tracks).toMatchObject({ x: 'data.hole_depth', y: ['data.rop', 'data.weight_on_bit'] });
    const dots = inKind('scatter', first, 'time', wits);
    expect(dots).toMatchObject({ x: 'data.rop', y: ['data.weight_on_bit'] });
    expect(inKind('lines', dots, 'time', wits)).toMatchObject({
      x: 'timestamp',
      y: ['data.rop', 'data.weight_on_bit'],
    });
  });

  it('have no field twice, and no more than fit', () => {
    const plot = createPlot();
    const choice = { kind: 'lines' as const, x: 't', y: ['a'], align: 'recorded' as const };
    plot.actions.add(choice, 'a');
    expect(plot.store.getState().choice).toBeNull();
    plot.actions.add({ ...choice, y: Array.from({ length: maxPlotFields }, (_, at) => String(at)) }, 'a');
    expect(plot.store.getState().choice).toBeNull();
    plot.actions.add(choice, 'b');
    expect(plot.store.getState().choice?.y).toEqual(['a', 'b']);
  });
});

const choice = { kind: 'lines' as const, x: 'timestamp', y: ['data.rop'], align: 'recorded' as const };

describe('a scene', () => {
  it('downsamples the visible part to its size, and is exact again when zoomed in', async () => {
    const scene = createScene(thinnerBeside());
    scene.actions.resize(100, 50);
    await scene.actions.show(sourceOf(10_000), choice, ['asset_id']);
    await settled();
    const { drawn } = scene.store.getState();
    expect(drawn?.lines).toHaveLength(2);
    expect(drawn?.lines.every(({ exact, x }) => !exact && x.length <= 420)).toBe(true);
    scene.actions.zoom({ x: { from: 100, to: 120 } });
    await settled();
    expect(scene.store.getState().drawn?.lines.map(({ exact, values }) => [exact, values?.to])).toEqual([
      [true, Math.sqrt(120)],
      [true, Math.sqrt(119)],
    ]);
  });

  it('draws another style without loading the records again', async () => {
    const scene = createScene(thinnerBeside());
    let loads = 0;
    const source = sourceOf(100);
    const counted = { ...source, numbers: (ids: readonly string[]) => ((loads += 1), source.numbers(ids)) };
    scene.actions.resize(100, 50);
    const groupedBy = ['asset_id'];
    await scene.actions.show(counted, choice, groupedBy);
    await settled();
    const curves = { 'data.rop': { isWrapped: true } };
    await scene.actions.show(counted, { ...choice, curves }, groupedBy);
    expect(loads).toBe(1);
    expect(scene.store.getState().drawn?.content.choice.curves).toEqual(curves);
    await scene.actions.show(counted, { ...choice, y: ['data.hook_load'] }, groupedBy);
    expect(loads).toBe(2);
  });

  it('stays in view after it was hidden, and reads nothing again', async () => {
    const scene = createScene(thinnerBeside());
    const read: (readonly string[])[] = [];
    const source = sourceOf(1000);
    const counted = {
      ...source,
      numbers: (ids: readonly string[]) => (read.push(ids), source.numbers(ids)),
      groups: (ids: readonly string[]) => (read.push(ids), source.groups(ids)),
    };
    scene.actions.resize(100, 50);
    await scene.actions.show(counted, choice, ['asset_id']);
    const before = scene.store.getState().drawn;
    scene.actions.hide();
    expect(scene.store.getState().drawn).toBe(before);
    await scene.actions.show(counted, { ...choice, kind: 'panels', y: ['data.rop', 'data.hook_load'] }, [
      'asset_id',
    ]);
    expect(scene.store.getState().drawn?.lines).toHaveLength(4);
    await scene.actions.show(counted, choice, ['asset_id']);
    scene.actions.zoom({ x: { from: 10, to: 20 } });
    await expect.poll(() => scene.store.getState().drawn?.part.x.to).toBe(20);
    expect(read).toEqual([['asset_id'], ['timestamp', 'data.rop'], ['data.hook_load']]);
  });

  it('has no color for records whose value of the color is a null value', async () => {
    const scene = createScene(thinnerBeside());
    scene.actions.resize(100, 50);
    const colors = Float64Array.of(5, -999.25, 9);
    const source = sourceOf(3);
    const numbers: PlotSource['numbers'] = async (ids) => {
      const columns = await source.numbers(ids);
      return columns.map((column, at) => (ids[at] === 'data.hook_load' ? colors : column));
    };
    const crossplot = {
      color: 'data.hook_load',
      isLogX: false,
      isLogY: false,
      hasRegression: false,
      hasHistograms: false,
    };
    const scatter = { ...choice, kind: 'scatter' as const, x: 'timestamp', y: ['data.rop'], crossplot };
    await scene.actions.show({ ...source, numbers }, scatter, []);
    await expect.poll(() => scene.store.getState().drawn?.lines[0]?.color?.length).toBe(3);
    const drawn = new Set(scene.store.getState().drawn?.lines[0]?.color);
    expect(drawn).toEqual(new Set([5, 9, Number.NaN]));
  });

  it('has a regression and histograms of a crossplot, also on logarithmic axes', async () => {
    const scene = createScene(thinnerBeside());
    scene.actions.resize(100, 50);
    const crossplot = {
      color: 'data.hook_load',
      isLogX: false,
      isLogY: false,
      hasRegression: true,
      hasHistograms: true,
    };
    const scatter = { ...choice, kind: 'scatter' as const, x: 'timestamp', y: ['data.rop'], crossplot };
    const source = sourceOf(100);
    await scene.actions.show(source, scatter, []);
    await expect.poll(() => scene.store.getState().statistics?.fits[0]?.count).toBe(100);
    const { drawn, statistics } = scene.store.getState();
    expect(statistics?.histograms.x.reduce((sum, count) => sum + count)).toBe(100);
    // The same values as those upwards, which are roots of the rows.
    expect(drawn?.lines[0]?.color).toEqual(drawn?.lines[0]?.y);
    expect(drawn?.content.colorRange?.from).toBeCloseTo(Math.SQRT2, 9);
    const log = { ...crossplot, isLogX: true, isLogY: true };
    await scene.actions.show(source, { ...scatter, crossplot: log }, []);
    // A root is a power of one half; the first row has no logarithm.
    await expect.poll(() => scene.store.getState().statistics?.fits[0]?.count).toBe(99);
    expect(scene.store.getState().statistics?.fits[0]?.slope).toBeCloseTo(0.5, 9);
    // From 1 to 99, with a margin.
    expect(scene.store.getState().drawn?.part.x.from).toBeCloseTo(99 ** -0.03, 9);
    await scene.actions.show(
      source,
      { ...scatter, crossplot: { ...log, hasRegression: false, hasHistograms: false } },
      [],
    );
    await expect.poll(() => scene.store.getState().statistics).toBeNull();
  });

  it('keeps a zoom that is made while records load', async () => {
    const scene = createScene(thinnerBeside());
    scene.actions.resize(100, 50);
    await scene.actions.show(sourceOf(1000), choice, []);
    const loading = scene.actions.show(sourceOf(1001), choice, []);
    const part = { x: { from: 10, to: 20 } };
    scene.actions.zoom(part);
    await loading;
    expect(scene.store.getState().part).toEqual(part);
    await expect.poll(() => scene.store.getState().drawn?.part.x).toEqual(part.x);
  });

  it('has no zoom that is made while another axis loads, from the plot of the axis before', async () => {
    const scene = createScene(thinnerBeside());
    scene.actions.resize(100, 50);
    const source = sourceOf(1000);
    await scene.actions.show(source, choice, []);
    const parts: unknown[] = [];
    scene.store.subscribe(({ part }) => parts.push(part));
    const loading = scene.actions.show(source, { ...choice, x: 'data.hole_depth' }, []);
    scene.actions.zoom({ x: { from: 500, to: 900 } });
    await loading;
    await settled();
    expect(new Set(parts)).toEqual(new Set([null]));
    // A zoom of the next axis is kept again.
    const part = { x: { from: 10, to: 20 } };
    scene.actions.zoom(part);
    expect(scene.store.getState().part).toEqual(part);
    await expect.poll(() => scene.store.getState().drawn?.part.x).toEqual(part.x);
  });

  it('stays with its fields when they are selected again while others load, and shows all of the axis', async () => {
    const scene = createScene(thinnerBeside());
    scene.actions.resize(100, 50);
    const source = sourceOf(1000);
    await scene.actions.show(source, choice, []);
    scene.actions.zoom({ x: { from: 10, to: 20 } });
    await expect.poll(() => scene.store.getState().drawn?.part.x.to).toBe(20);
    const others = [
      scene.actions.show(source, { ...choice, y: ['data.hook_load'] }, []),
      scene.actions.show(source, { ...choice, x: 'data.hole_depth' }, []),
    ];
    await scene.actions.show(source, choice, []);
    await Promise.all(others);
    const { content } = scene.store.getState();
    expect(content.status === 'loaded' && content.value.choice).toEqual(choice);
    await expect.poll(() => scene.store.getState().drawn?.part.x).toEqual({ from: 0, to: 999 });
  });

  it('keeps its zoom while records arrive, and resets it on another axis', async () => {
    const scene = createScene(thinnerBeside());
    scene.actions.resize(100, 50);
    await scene.actions.show(sourceOf(100), choice, []);
    scene.actions.zoom({ x: { from: 10, to: 20 } });
    await scene.actions.show(sourceOf(200), choice, []);
    expect(scene.store.getState().part).toEqual({ x: { from: 10, to: 20 } });
    await scene.actions.show(sourceOf(200), { ...choice, x: 'data.rop', y: ['data.hook_load'] }, []);
    expect(scene.store.getState().part).toBeNull();
  });

  it('starts with the zoom of an earlier plot only if the axis is the same', async () => {
    const zoom = { axis: axisOf(choice), part: { x: { from: 10, to: 20 } } };
    const same = createScene(thinnerBeside(), zoom);
    await same.actions.show(sourceOf(100), { ...choice, y: ['data.hook_load'] }, []);
    expect(same.store.getState().part).toEqual(zoom.part);
    const other = createScene(thinnerBeside(), zoom);
    await other.actions.show(sourceOf(100), { ...choice, kind: 'tracks' }, []);
    expect(other.store.getState().part).toBeNull();
  });

  it('keeps the order of its groups, and so their colors, when more is loaded', async () => {
    const scene = createScene(thinnerBeside());
    const named = (...names: string[]) => ({
      ...sourceOf(100),
      groups: async () => ({
        codes: Uint16Array.from({ length: 100 }, (_, row) => row % names.length),
        names: names.map((name) => [name]),
      }),
    });
    const shown = async (source: PlotSource, by = ['asset_id']) => {
      await scene.actions.show(source, choice, by);
      const { content } = scene.store.getState();
      return content.status === 'loaded' ? content.value.groups.map(([name]) => name) : [];
    };
    expect(await shown(named('7', '8'))).toEqual(['7', '8']);
    expect(await shown(named('8', '9', '7'))).toEqual(['7', '8', '9']);
    // Each line still has the values of its own group: every third row of 100, from row 2 on.
    const { content } = scene.store.getState();
    expect(content.status === 'loaded' && content.value.lines[0]?.count).toBe(33);
    expect(await shown(named('8', '7'), ['log'])).toEqual(['8', '7']);
  });

  it('draws no more lines than can be distinguished, and reports it', async () => {
    const scene = createScene(thinnerBeside());
    const source = sourceOf(100);
    const names = Array.from({ length: 50 }, (_, at) => [String(at)]);
    const many = { ...source, groups: async () => ({ codes: new Uint16Array(100), names }) };
    await scene.actions.show(many, choice, ['asset_id']);
    const { content } = scene.store.getState();
    expect(content.status === 'loaded' && [content.value.lines.length, content.value.groupsLeft]).toEqual([
      24, 26,
    ]);
  });

  it('reports errors', async () => {
    const scene = createScene(thinnerBeside());
    const broken = { ...sourceOf(5), numbers: () => Promise.reject(new Error('missing')) };
    await scene.actions.show(broken, choice, []);
    expect(scene.store.getState().content).toMatchObject({ status: 'failed', error: { code: 'internal' } });
  });
});

it('a plot in another unit draws converted numbers, and its data stay as stored', async () => {
  const scene = createScene(thinnerBeside());
  const changes = { 'data.rop': { from: 'ft/h', to: 'm/h' }, timestamp: { from: 'ft', to: 'm' } };
  scene.actions.resize(100, 50);
  await scene.actions.show(sourceOf(5), { ...choice, y: ['data.rop'] }, [], changes);
  await settled();
  const { content, drawn } = scene.store.getState();
  expect([...(drawn?.lines[0]?.x ?? [])]).toEqual([0, 0.3048, 0.6096, 0.9144, 1.2192]);
  expect(drawn?.lines[0]?.y[4]).toBe(0.6096);
  expect(content.status === 'loaded' && content.value.axis).not.toBe(axisOf(choice));
  scene.actions.zoom({ x: { from: 0.5, to: 1 } });
  const csv = await scene.actions.csv(() => ({ x: 'x', y: ['y'], groups: [], time: false }));
  expect(await csv?.text()).toBe(`x,y\r\n2,${Math.SQRT2}\r\n3,${Math.sqrt(3)}\r\n`);
});

it('the section of a wellpath is to scale, with all its stations, and shows less after a zoom', async () => {
  const scene = createScene(thinnerBeside());
  scene.actions.resize(200, 100);
  const section = {
    kind: 'scatter' as const,
    x: 'data.rop',
    y: ['data.hole_depth'],
    align: 'recorded' as const,
    plan: { x: 'data.rop', y: 'data.hook_load' },
  };
  const plain = sourceOf(10_000);
  const stations = { ...plain, fields: [...wits, field('data.md')] };
  await scene.actions.show(stations, section, ['asset_id']);
  await vi.waitFor(() => expect(scene.store.getState().drawn).not.toBeNull());
  const scaleOf = () => {
    const { x, y = { from: 0, to: 0 } } = scene.store.getState().drawn?.part ?? { x: { from: 0, to: 0 } };
    return [(x.to - x.from) / 200, (y.to - y.from) / 100];
  };
  const [along = 0, across] = scaleOf();
  expect(along).toBeCloseTo(across ?? 0, 9);
  scene.actions.zoom({ x: { from: 10, to: 20 }, y: { from: 10, to: 90 } });
  await vi.waitFor(() => expect(scaleOf()[0]).toBeLessThan(along));
  expect(scaleOf()[0]).toBeCloseTo(0.8, 9);
  expect(scaleOf()[1]).toBeCloseTo(0.8, 9);
  expect(scene.store.getState().drawn?.lines.map((line) => line.x.length)).toEqual([5000, 5000]);
  // Without measured depths the dots have no order, and no line.
  await scene.actions.show(plain, section, ['asset_id']);
  await vi.waitFor(() => expect(scene.store.getState().drawn?.content.isPath).toBe(false));
});
