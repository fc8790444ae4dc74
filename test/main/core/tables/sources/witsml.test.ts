import { describe, expect, it } from 'vitest';
import { witsml } from '../../../../../src/main/core/tables/sources/wits.ts';
import { cellsOf, namesOf, recordIndexes, readContent } from '../../../features/upload/support/sources.ts';

const read = (text: string | Uint8Array) => readContent(witsml, text, 'log.xml');
const curve = (name: string, unit: string, more = ''): string =>
  `<logCurveInfo uid="${name}"><mnemonic>${name}</mnemonic><unit>${unit}</unit>${more}</logCurveInfo>`;
const log = (name: string, content: string): string =>
  `<log uidWell="w" uid="l"><nameWell>15/9-F-4</nameWell><name>${name}</name>${content}</log>`;
const logs = (...all: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<logs xmlns="http://www.witsml.org/schemas/1series">${all.join('\n')}</logs>`;

const timeLog = log(
  'Time log',
  `<indexType>date time</indexType><indexCurve>Time</indexCurve><nullValue>-999.25</nullValue>${curve('ROP', 'm/h', '<curveDescription>Rate</curveDescription><typeLogData>double</typeLogData>')}${curve('Time', 's')}${curve('Text', 'unitless', '<nullValue>none</nullValue><typeLogData>string</typeLogData>')}
  <logData><mnemonicList>Time,ROP,Text</mnemonicList><unitList>unitless,ft/h,unitless</unitList>
  <data>2016-10-04T14:13:18.000Z,12.50,a &amp; b</data>
  <data>2016-10-04T14:13:19.000Z,-999.2500,none</data>
  <data>2016-10-04T14:13:20.000Z,,"x, y"</data></logData>`,
);

describe('a WITSML log', () => {
  it('of 1.4.1.1 has the columns of its mnemonicList, with units, null values, and header', async () => {
    const file = await read(logs(timeLog));
    expect(file.tables[0]).toMatchObject({
      name: 'Time log',
      rows: 3,
      index: { name: 'Time', unit: 'unitless', kind: 'time' },
      columns: [
        { name: 'Time', type: 'time' },
        { name: 'ROP', unit: 'ft/h', type: null },
        { name: 'Text', type: 'text' },
      ],
    });
    expect(cellsOf(file)).toEqual([
      ['2016-10-04T14:13:18.000Z', '12.50', 'a & b'],
      ['2016-10-04T14:13:19.000Z', null, null],
      ['2016-10-04T14:13:20.000Z', null, 'x, y'],
    ]);
    expect(recordIndexes(file)).toEqual([1, 2, 3]);
    expect(file.header).toContainEqual({
      group: 'Log',
      name: 'nameWell',
      value: '15/9-F-4',
      unit: null,
      description: null,
    });
  });

  it('says whose unit the list of units has otherwise, and takes that of the curve where the list has none', async () => {
    const of = async (list: string) =>
      read(
        logs(
          log(
            'A',
            `${curve('DEPT', 'ft')}${curve('TQ', 'galUS/min')}<logData><mnemonicList>DEPT,TQ</mnemonicList><unitList>${list}</unitList><data>1,2</data></logData>`,
          ),
        ),
      );
    const differing = await of('m,galUS');
    expect(differing.tables[0]?.columns.map(({ unit }) => unit)).toEqual(['m', 'galUS']);
    expect(differing.warnings).toMatchObject([
      { code: 'header_differs', message: expect.stringMatching(/DEPT .*TQ /) },
    ]);
    for (const list of ['ft,GALUS/MIN', ',', 'unitless,']) expect((await of(list)).warnings).toEqual([]);
    expect((await of(',')).tables[0]?.columns.map(({ unit }) => unit)).toEqual(['ft', 'galUS/min']);
  });

  it('with parts of one log in several units is refused', async () => {
    const part = (unit: string) =>
      `<logData><mnemonicList>DEPT</mnemonicList><unitList>${unit}</unitList><data>100</data></logData>`;
    await expect(read(logs(log('A', curve('DEPT', 'm') + part('m') + part('ft'))))).rejects.toThrow(
      /values of DEPT are in several units/,
    );
  });

  it('with parts of one log in one unit, however it is written, is read', async () => {
    const part = (unit: string) =>
      `<logData><mnemonicList>ROP</mnemonicList><unitList>${unit}</unitList><data>1</data></logData>`;
    const file = await read(
      logs(log('A', curve('ROP', 'm/h') + ['m/h', 'M/HR', '', 'unitless'].map(part).join(''))),
    );
    expect(file.tables[0]?.columns).toMatchObject([{ unit: 'M/HR' }]);
  });

  it('of 1.2 has what is in its own header', async () => {
    const text = `<log><nameLog>Lagmud</nameLog><logHeader><indexType>Depth</indexType><nullValue>-9</nullValue>${curve('ROP', 'm/h')}</logHeader><logData><data>-9</data></logData></log>`;
    const file = await read(logs(text));
    expect(file.tables[0]).toMatchObject({ name: 'Lagmud', index: { kind: 'depth' } });
    expect(cellsOf(file)).toEqual([[null]]);
    const vertical = await read(logs(text.replace('Depth', 'vertical depth')));
    expect(vertical.tables[0]).toMatchObject({ index: { kind: 'vertical_depth' } });
  });

  it('of 1.3.1.1 has its columns by columnIndex, and keeps a decreasing depth', async () => {
    const curves =
      curve('GR', 'gAPI', '<columnIndex>2</columnIndex>') +
      curve('DEPTH', 'm', '<columnIndex>1</columnIndex>');
    const text = log(
      'Up',
      `<indexType>measured depth</indexType><direction>decreasing</direction><indexCurve columnIndex="1">DEPTH</indexCurve>${curves}<logData><data>100.5,9007199254740993</data><data>100.0,2</data></logData>`,
    );
    const file = await read(logs(text));
    expect(namesOf(file)).toEqual(['DEPTH', 'GR']);
    expect(file.tables[0]?.index).toEqual({ name: 'DEPTH', unit: 'm', kind: 'depth' });
    expect(cellsOf(file)).toEqual([
      ['100.5', '9007199254740993'],
      ['100.0', '2'],
    ]);
  });

  it('with bytes that are invalid in its encoding is refused with the line, even behind the first megabyte', async () => {
    const rows = (last: string | Uint8Array): Buffer => {
      const text = logs(
        log(
          'A',
          `${curve('A', 'm')}<logData><mnemonicList>A,B</mnemonicList>\n${`<data>1,${'ø'.repeat(100)}</data>\n`.repeat(6000)}<data>2,|</data></logData>`,
        ),
      );
      const [start = '', end = ''] = text.split('|');
      return Buffer.concat([Buffer.from(start), Buffer.from(last), Buffer.from(end)]);
    };
    await expect(read(rows(Buffer.from([0xc5])))).rejects.toMatchObject({
      code: 'file_unsuitable',
      details: { place: { line: 6003 } },
    });
    // A U+FFFD of the file itself is valid.
    expect(cellsOf(await read(rows('\uFFFDÅ'))).at(-1)).toEqual(['2', '\uFFFDÅ']);
    await expect(
      read(Buffer.concat([Buffer.from(logs(timeLog)), Buffer.from([0x0a, 0xc5])])),
    ).rejects.toMatchObject({
      details: { place: { line: 7 } },
    });
  });

  it('may be one of several in a file', async () => {
    const other = log(
      'Other',
      `${curve('A', 'm')}<logData><mnemonicList>A</mnemonicList><data>1</data></logData>`,
    );
    const file = await read(logs(timeLog, other));
    expect(file.tables.map(({ name, found }) => [name, found.length])).toEqual([
      ['Time log', 3],
      ['Other', 1],
    ]);
    const groups = file.tables.map(({ header = [] }) => [...new Set(header.map(({ group }) => group))]);
    expect(groups).toEqual([['Time log'], ['Other']]);
  });

  it('may have several lists of mnemonics, whose columns are merged', async () => {
    const parts =
      '<logData><mnemonicList>A,B</mnemonicList><data>1,2</data></logData><logData><mnemonicList>C,A</mnemonicList><data>3,4</data></logData>';
    const file = await read(logs(log('Two', parts)));
    expect(namesOf(file)).toEqual(['A', 'B', 'C']);
    expect(cellsOf(file)).toEqual([
      ['1', '2', null],
      ['4', null, '3'],
    ]);
  });

  it.each(['|', ';', '^'])(
    'has lists between commas, and values between its delimiter %s',
    async (delimiter) => {
      const content = `<nullValue>-1</nullValue><dataDelimiter>${delimiter}</dataDelimiter>${curve('DEPT', 'm')}${curve('GR', 'gAPI')}${curve('TXT', '')}
      <logData><mnemonicList>DEPT,GR,TXT</mnemonicList><unitList>ft,gAPI,unitless</unitList>
      <data>${['100', '-1', 'a, b'].join(delimiter)}</data><data>${['101', '55', ''].join(delimiter)}</data></logData>`;
      const file = await read(logs(log('One', content), log('Two', content)));
      expect(file.tables.map(({ columns }) => columns.map(({ name, unit }) => [name, unit]))).toEqual([
        [
          ['DEPT', 'ft'],
          ['GR', 'gAPI'],
          ['TXT', 'unitless'],
        ],
        [
          ['DEPT', 'ft'],
          ['GR', 'gAPI'],
          ['TXT', 'unitless'],
        ],
      ]);
      expect(cellsOf(file)).toEqual([
        ['100', null, 'a, b'],
        ['101', '55', null],
      ]);
    },
  );

  it('may repeat a mnemonic: each of its curves has its own values and unit, in every list', async () => {
    const content = `${curve('DEPT', 'm')}${curve('TQ', 'kft.lbf')}${curve('TQ', 'galUS/min', '<nullValue>-9</nullValue>')}
      <logData><mnemonicList>DEPT,TQ,TQ</mnemonicList><unitList>m,kft.lbf,galUS/min</unitList><data>100,0.5,800</data><data>101,-9,-9</data></logData>
      <logData><mnemonicList>TQ,DEPT,TQ,TQ</mnemonicList><unitList>kft.lbf,m,galUS/min,kN</unitList><data>0.6,102,810,7</data></logData>`;
    const file = await read(logs(log('One', content), log('Two', content)));
    for (const table of [0, 1]) {
      expect(file.tables[table]?.columns.map(({ name, unit }) => [name, unit])).toEqual([
        ['DEPT', 'm'],
        ['TQ', 'kft.lbf'],
        ['TQ', 'galUS/min'],
        ['TQ', 'kN'],
      ]);
      expect(cellsOf(file, table)).toEqual([
        ['100', '0.5', '800', null],
        ['101', '-9', null, null],
        ['102', '0.6', '810', '7'],
      ]);
    }
  });

  it('has a row of another width than its list in no column', async () => {
    const parts =
      '<logData><mnemonicList>A,B,C</mnemonicList><data>1,2,3</data></logData><logData><mnemonicList>C,A</mnemonicList><data>4,5,6</data><data>7</data></logData>';
    const file = await read(logs(log('Two', parts)));
    expect(cellsOf(file).map(({ length }) => length)).toEqual([3, 4, 1]);
  });

  it('keeps ragged rows, and may have a namespace prefix and be in Windows-1252', async () => {
    const text =
      '<?xml version="1.0" encoding="windows-1252"?><w:logs xmlns:w="http://www.witsml.org"><w:log><w:name>°</w:name><w:logData><w:mnemonicList>A,B</w:mnemonicList><w:data>1</w:data><w:data>1,2,3</w:data></w:logData></w:log></w:logs>';
    const file = await read(Buffer.from(text, 'latin1'));
    expect(file.tables[0]?.name).toBe('°');
    expect(cellsOf(file)).toEqual([['1'], ['1', '2', '3']]);
  });

  it('is recognized by its content', () => {
    const recognize = (text: string): boolean => witsml.recognize(Buffer.from(text), 'a.csv');
    expect(recognize(logs(timeLog))).toBe(true);
    expect(recognize('<html><body>log</body></html>')).toBe(false);
    expect(recognize('<!DOCTYPE html><html><body>witsml</body></html>')).toBe(false);
    expect(recognize('<mudLogs xmlns="http://www.witsml.org/schemas/1series">')).toBe(true);
    expect(recognize('<Log xmlns="http://www.energistics.org/energyml/data/witsmlv2">')).toBe(true);
    expect(recognize('a,b\n1,2')).toBe(false);
  });
});

describe('hostile XML is rejected with the reason and line:', () => {
  const doctype = '<!DOCTYPE logs [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>';
  it.each([
    ['a document type', `<?xml version="1.0"?>\n${doctype}<logs>&b;</logs>`, /DOCTYPE.*line 2/],
    ['an unknown entity', `<logs>\n<log>&b;</log></logs>`, /damaged XML.*line 2/],
    ['a truncated file', logs(timeLog).slice(0, -300), /damaged XML/],
    ['an unclosed element', '<logs><log></logs>', /damaged XML/],
    ['excessive nesting', '<logs>' + '<log>'.repeat(500), /nested too deeply/],
    [
      'another object',
      '<trajectorys xmlns="http://www.witsml.org"><trajectory/></trajectorys>',
      /reads only logs of WITSML/,
    ],
    [
      'another object without a declaration',
      '<mudLogs xmlns="http://www.witsml.org/schemas/1series" version="1.4.1.1">\n<mudLog/></mudLogs>',
      /it has mudLogs and no log/,
    ],
    [
      'a log of WITSML 2',
      '<Log xmlns="http://www.energistics.org/energyml/data/witsmlv2" schemaVersion="2.0"><ChannelSet/></Log>',
      /it is WITSML 2.*1\.4\.1\.1/,
    ],
    [
      'an answer of a server',
      '<?xml version="1.0"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><XMLout>&lt;logs/&gt;</XMLout></soap:Body></soap:Envelope>',
      /response of a web service \(SOAP\).*XMLout/,
    ],
    ['an unknown encoding', '<?xml version="1.0" encoding="x-none"?><logs/>', /encoding x-none/],
  ])('%s', async (_what, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it('an endless text, with bounded memory', async () => {
    const text = Buffer.concat([Buffer.from('<logs><log><name>'), Buffer.alloc(40 << 20, 'x')]);
    await expect(read(text)).rejects.toThrow(/element of more than 16 MB/);
  });
});
