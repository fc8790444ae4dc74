import { ArrowUpDown, CircleCheck, CircleX, Stethoscope, ChevronRight, FileKey2, X } from 'lucide-react';
import { Form } from 'react-aria-components/Form';
import { type Connection, connectionColor } from '../../../shared/connections/connections.ts';
import type { ConnectionCheck, ConnectionOrDraft } from '../../../shared/contract/connections.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import {
  advancedFields,
  type DraftInputs,
  type FileSelection,
  nameOfFile,
  needsKeyFile,
  draftField,
  emptyDraft,
  connectionInputs,
  diagnosticsSubject,
  type DraftField,
} from './draft.ts';
import { DiagnosticsPanel } from './diagnostics-panel.tsx';
import { SecretFields } from './authenticate-form.tsx';
import { Status } from '../../ui/status.tsx';
import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { useEffect, type ReactNode, useLayoutEffect, useRef, useState, useId } from 'react';
import { describeKeychain } from '../../../shared/errors/sentences.ts';
import { useApp, useAppState } from '../../contexts.ts';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { visibleLine } from '../../../shared/errors/visible-text.ts';
import { handOverFile } from '../../api/dropped.ts';
import { useTask } from '../../state/use-task.ts';
import type { AppError, ErrorCode, ErrorDetails } from '../../../shared/errors/errors.ts';
import { issuesOf, problemsByField, type Problems } from '../../state/problems.ts';

/** The state and the actions of a connection form. */
function useConnectionForm(connection: Connection | undefined) {
  const { add, change, test } = useApp().connections.actions;
  const diagnostics = useApp().diagnostics.actions;
  const [inputs, setInputs] = useState<DraftInputs>(() =>
    connection ? connectionInputs(connection) : emptyDraft,
  );
  const [problems, setProblems] = useState<Problems<DraftField>>({});
  const [invalidSubmits, setInvalidSubmits] = useState(0);
  const place = connection?.id ?? 'new';
  const keeping = useTask(async (subject: ConnectionOrDraft, signal) => {
    if ('draft' in subject) await add(subject.draft, signal);
    else if ('change' in subject) await change(subject.change, signal);
    diagnostics.closeFor(place);
  });
  const testing = useTask(test);

  /** The parsed inputs, if they are valid. */
  function subject(): ConnectionOrDraft | null {
    const parsed = diagnosticsSubject(connection, inputs, words.connection.secretNeeded);
    setProblems(parsed.ok ? {} : parsed.problems);
    return parsed.ok ? parsed.value : null;
  }

  /** Runs an action with the parsed inputs. It replaces the previous action's result. */
  function runAction(act: (subject: ConnectionOrDraft) => void): void {
    const currentSubject = subject();
    keeping.reset();
    testing.reset();
    if (currentSubject) act(currentSubject);
    else setInvalidSubmits(invalidSubmits + 1);
  }

  function type(typed: Partial<DraftInputs>): void {
    // A certificate file arrives while the user is typing.
    setInputs((before) => ({ ...before, ...typed }));
    setInvalidSubmits(0);
    const stays = ([field]: [string, unknown]) => !(field in typed || (field === 'caFile' && 'ca' in typed));
    setProblems((before) => Object.fromEntries(Object.entries(before).filter(stays)));
    keeping.reset();
    testing.reset();
  }

  const error = keeping.error ?? testing.error;
  const isSwapped = error?.is('addresses_swapped') || testing.value?.data.code === 'addresses_swapped';
  const issues = fieldProblems(error, inputs.method);
  const isAtField = error?.is('invalid_input') || Object.keys(issues.problems).length > 0;
  return {
    inputs,
    place,
    keeping: keeping.isRunning,
    testing: testing.isRunning,
    check: testing.value,
    /** Why the last action failed, also where the fields say so. */
    failure: error,
    /** How often inputs were sent that were invalid, since they were edited. */
    invalidSubmits,
    /** Whether the connection can be saved although a service rejected the credentials or did not respond. */
    canSaveAnyway: keeping.error !== null && canSave(keeping.error, inputs.method),
    isSwapped,
    swap: () => type({ dataUrl: inputs.platformUrl, platformUrl: inputs.dataUrl }),
    /** Problems that belong to no field. */
    error: error && (isAtField && issues.otherIssues.length === 0 ? null : error),
    problem: (field: DraftField): string | undefined => (problems[field] ?? issues.problems[field])?.message,
    type,
    keep: () => runAction((subject) => void keeping.start(subject)),
    saveAnyway: () => runAction((subject) => void keeping.start(allowUntested(subject))),
    test: () => runAction((subject) => void testing.start(subject)),
    /** The failed action stays visible, with its suggested fixes. */
    diagnose(): void {
      const currentSubject = subject();
      if (currentSubject)
        void diagnostics.start({ id: place, name: inputs.name.trim(), subject: currentSubject });
    },
  };
}

const allowUntested = (subject: ConnectionOrDraft): ConnectionOrDraft => {
  if ('draft' in subject) return { draft: { ...subject.draft, saveAnyway: true } };
  return 'change' in subject ? { change: { ...subject.change, saveAnyway: true } } : subject;
};

/** Errors that a service or connectivity can cause. */
const serviceErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'not_authenticated',
  'addresses_swapped',
  'not_found',
  'refused',
  'too_many_requests',
  'service_failed',
  'bad_answer',
  'unreachable',
  'timed_out',
]);

/** An API key can be saved as it is; a login only if signing in succeeded and the data service failed. */
function canSave(error: AppError, method: Connection['method']): boolean {
  if (!serviceErrors.has(error.code)) return false;
  return method === 'api_key' || ('service' in error.details && error.details.service === 'data');
}

function fileFieldOf({ wanted, part }: ErrorDetails<'file_unsuitable'>): DraftField | undefined {
  if (wanted === 'certificates') return 'caFile';
  if (wanted !== 'client_certificate') return undefined;
  return part === 'passphrase' ? 'passphrase' : part === 'key' ? 'clientKey' : 'clientCertificate';
}

function fieldProblems(
  error: AppError | null,
  method: Connection['method'],
): ReturnType<typeof problemsByField<DraftField>> {
  const field = error?.is('file_unsuitable') ? fileFieldOf(error.details) : undefined;
  if (error && field) return { problems: { [field]: { message: error.message } }, otherIssues: [] };
  return problemsByField(error ? issuesOf(error) : [], (path) => draftField(path, method));
}

type ProxyField = 'proxyAddress' | 'proxyUser' | 'proxyPassword';

interface ProxyFieldsProps {
  readonly inputs: Pick<DraftInputs, ProxyField>;
  readonly onChange: (change: Partial<Pick<DraftInputs, ProxyField>>) => void;
  /** The problem of a field; undefined: none. */
  readonly problem: (field: ProxyField) => string | undefined;
  /** The user whose password is stored; undefined: none. */
  readonly storedUser: string | undefined;
}

/** The proxy of a connection; its user and password only if there is one. */
function ProxyFields({ inputs, onChange, problem, storedUser }: ProxyFieldsProps) {
  const { proxyAddress, proxyUser } = inputs;
  const field = (name: ProxyField) => ({
    name,
    label: w[name],
    value: inputs[name],
    onChange: (text: string) => onChange({ [name]: text }),
    problem: problem(name),
  });
  const isKept = storedUser !== undefined && storedUser === proxyUser.trim();
  return (
    <>
      <TextField
        {...field('proxyAddress')}
        placeholder={w.proxyAddressPlaceholder}
        inputMode="url"
        note={w.proxyNote}
      />
      {proxyAddress.trim() !== '' && (
        <>
          <TextField {...field('proxyUser')} note={w.proxyUserNote} />
          <TextField
            {...field('proxyPassword')}
            type="password"
            note={isKept ? w.proxyPasswordKept : w.proxyPasswordNote}
          />
        </>
      )}
    </>
  );
}

interface FileFieldProps {
  readonly words: Record<'label' | 'note' | 'choose' | 'replace' | 'remove', string>;
  readonly types: readonly string[];
  /** What is selected: the name of a file, or its certificates. */
  readonly lines: readonly string[];
  readonly onChange: (selection: FileSelection) => void;
  /** Undefined: it can't be removed alone. */
  readonly onRemove: (() => void) | undefined;
  /** The problem with the file; undefined: none. */
  readonly problem: string | undefined;
}

/** A file that main reads: the window has its token and its name. */
function FileField({ words: text, types, lines, onChange, onRemove, problem }: FileFieldProps) {
  const id = useId();
  const transferTask = useTask(async (file: File, signal) =>
    onChange({ kind: 'file', file: await handOverFile(file, signal) }),
  );
  const problemText = transferTask.error?.message ?? problem;
  const isInvalid = problemText !== undefined;
  return (
    <fieldset
      className="connection-file field"
      aria-describedby={`${id}-note`}
      data-invalid={isInvalid || undefined}
    >
      <legend className="field-label">{text.label}</legend>
      {lines.map((line) => (
        <span key={line} className="line">
          {line}
        </span>
      ))}
      <div className="row wrap">
        <FileTrigger
          acceptedFileTypes={types}
          onSelect={(picked) => {
            const file = picked?.item(0);
            if (file) void transferTask.start(file);
          }}
        >
          <Button
            icon={FileKey2}
            isPending={transferTask.isRunning}
            {...(isInvalid ? { 'aria-describedby': `${id}-problem` } : {})}
          >
            {lines.length > 0 ? text.replace : text.choose}
          </Button>
        </FileTrigger>
        {lines.length > 0 && onRemove && (
          <Button variant="quiet" icon={X} onPress={onRemove}>
            {text.remove}
          </Button>
        )}
      </div>
      <span className="field-note" id={`${id}-note`}>
        {text.note}
      </span>
      {isInvalid && (
        <span className="field-problem" role="alert" id={`${id}-problem`}>
          {problemText}
        </span>
      )}
    </fieldset>
  );
}

const certificateTypes = ['.pem', '.crt', '.cer'];
const authorityTypes = [...certificateTypes, '.der', '.ca-bundle', 'application/x-x509-ca-cert'];
const clientTypes = ['.p12', '.pfx', ...certificateTypes, 'application/x-pkcs12'];
const keyTypes = ['.key', '.pem'];

interface CaFileFieldProps {
  readonly selection: FileSelection;
  /** The connection's current certificates. */
  readonly authorities: Connection['authorities'];
  readonly onChange: (selection: FileSelection) => void;
  readonly problem: string | undefined;
}

/** The company's certificates. */
function CaFileField({ selection, authorities = [], onChange, problem }: CaFileFieldProps) {
  const kept = authorities.map(({ name, ends }) => w.caEnds(name, ends.slice(0, 10)));
  return (
    <FileField
      words={w.ca}
      types={authorityTypes}
      lines={
        selection.kind === 'file' ? [visibleLine(selection.file.name)] : selection.kind === 'kept' ? kept : []
      }
      onChange={onChange}
      onRemove={() => onChange({ kind: 'none' })}
      problem={problem}
    />
  );
}

type CertificateInputs = Pick<DraftInputs, 'clientCertificate' | 'clientKey' | 'passphrase'>;

interface ClientCertificateFieldsProps {
  readonly inputs: CertificateInputs;
  /** Absent: a new connection. */
  readonly connection: Connection | undefined;
  readonly onChange: (change: Partial<CertificateInputs>) => void;
  /** The problem of a field; undefined: none. */
  readonly problem: (field: keyof CertificateInputs) => string | undefined;
}

/** The certificate that a gateway requires; its key and its passphrase only if there is one. */
function ClientCertificateFields({ inputs, connection, onChange, problem }: ClientCertificateFieldsProps) {
  const { clientCertificate, clientKey, passphrase } = inputs;
  const name = nameOfFile(clientCertificate, connection?.clientCertificate);
  const keyName = nameOfFile(clientKey, connection?.clientKey);
  const isKept = clientCertificate.kind === 'kept';
  const linesOf = (file: string | undefined) => (file === undefined ? [] : [visibleLine(file)]);
  const withoutKey = { clientKey: { kind: 'none' }, passphrase: '' } as const;
  return (
    <>
      <FileField
        words={w.clientCertificate}
        types={clientTypes}
        lines={linesOf(name)}
        onChange={(selected) => onChange({ clientCertificate: selected, clientKey: { kind: 'none' } })}
        onRemove={() => onChange({ clientCertificate: { kind: 'none' }, ...withoutKey })}
        problem={problem('clientCertificate')}
      />
      {name !== undefined && (needsKeyFile(name) || problem('clientKey') !== undefined) && (
        <FileField
          words={w.clientKey}
          types={keyTypes}
          lines={linesOf(keyName)}
          onChange={(selected) => onChange({ clientKey: selected })}
          onRemove={
            clientKey.kind === 'file'
              ? () => onChange({ clientKey: { kind: isKept ? 'kept' : 'none' } })
              : undefined
          }
          problem={problem('clientKey')}
        />
      )}
      {name !== undefined && (
        <TextField
          name="passphrase"
          label={w.passphrase}
          type="password"
          value={passphrase}
          onChange={(typed) => onChange({ passphrase: typed })}
          note={isKept ? w.passphraseKept : w.passphraseNote}
          problem={problem('passphrase')}
        />
      )}
    </>
  );
}

const w = words.connection;

/** Whether a connection uses something of the section for few connections. */
const hasAdvanced = ({ readOnly, proxyAddress }: DraftInputs, connection: Connection | undefined): boolean =>
  readOnly ||
  proxyAddress !== '' ||
  (connection?.authorities ?? []).length > 0 ||
  connection?.clientCertificate !== undefined;

export interface ConnectionFormProps {
  /** Absent: a new connection. */
  readonly connection?: Connection;
  readonly onCancel?: () => void;
}

/** Adds or changes a connection: the form can test it and save it. */
export function ConnectionForm({ connection, onCancel }: ConnectionFormProps) {
  const form = useConnectionForm(connection);
  const { inputs, type, problem, error, failure, invalidSubmits } = form;
  const place = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (!failure && invalidSubmits === 0) return;
    // The focus moves to the field to correct, or to the reason.
    const invalid = place.current?.querySelector('[aria-invalid=true], [data-invalid] button');
    const next = invalid ?? place.current?.querySelector('.form-error');
    if (next instanceof HTMLElement) next.focus();
  }, [failure, invalidSubmits]);
  const field = (name: 'name' | 'dataUrl' | 'platformUrl') => ({
    name,
    label: w[name],
    placeholder: w[`${name}Placeholder`],
    value: inputs[name],
    onChange: (text: string) => type({ [name]: text }),
    problem: problem(name),
  });
  return (
    <>
      <Form
        ref={place}
        className="connection-form above-1 stack gap-3"
        {...(connection ? { 'aria-label': w.editing(connection.name) } : {})}
        onSubmit={(event) => {
          event.preventDefault();
          form.keep();
        }}
      >
        <TextField {...field('name')} />
        <TextField {...field('dataUrl')} inputMode="url" />
        <TextField {...field('platformUrl')} inputMode="url" />
        <SecretFields
          inputs={inputs}
          onChange={type}
          problem={problem}
          hasStoredSecret={connection?.method === inputs.method && connection.secret !== 'missing'}
        />
        {!connection && (
          <KeychainOption remember={inputs.remember} onChange={(remember) => type({ remember })} />
        )}
        <AdvancedSection
          isUsed={hasAdvanced(inputs, connection)}
          hasProblem={advancedFields.some((name) => problem(name) !== undefined)}
        >
          <CheckBox
            label={w.readOnlyBox}
            checked={inputs.readOnly}
            onChange={(readOnly) => type({ readOnly })}
          />
          <ColorSelect value={inputs.color} onChange={(color) => type({ color })} />
          <CaFileField
            selection={inputs.ca}
            authorities={connection?.authorities}
            onChange={(ca) => type({ ca })}
            problem={problem('caFile')}
          />
          <ClientCertificateFields
            inputs={inputs}
            connection={connection}
            onChange={type}
            problem={problem}
          />
          <ProxyFields
            inputs={inputs}
            onChange={type}
            problem={problem}
            storedUser={
              connection?.proxy?.address === inputs.proxyAddress ? connection.proxy.user : undefined
            }
          />
        </AdvancedSection>
        {form.check && <CheckResult check={form.check} />}
        {error && (
          <div className="form-error" tabIndex={-1}>
            <Alert tone="error">
              {form.canSaveAnyway && `${w.notSaved} `}
              {error.message}
            </Alert>
          </div>
        )}
        <FormActions form={form} isNew={!connection} onCancel={onCancel} />
      </Form>
      <DiagnosticsPanel of={form.place} />
    </>
  );
}

interface FormActionsProps {
  readonly form: ReturnType<typeof useConnectionForm>;
  readonly isNew: boolean;
  readonly onCancel: (() => void) | undefined;
}

function FormActions({ form, isNew, onCancel }: FormActionsProps) {
  const { check, error, keeping, testing, canSaveAnyway, isSwapped } = form;
  const isBad = error !== null || (check !== null && !(check.data.ok && check.platform.ok));
  const [keep, working] = isNew ? [w.connect, w.connecting] : [w.save, w.saving];
  return (
    <div className="row wrap">
      {isSwapped && (
        <Button icon={ArrowUpDown} variant="primary" onPress={form.swap}>
          {w.swap}
        </Button>
      )}
      <Button type="submit" variant="primary" isPending={keeping}>
        {keeping ? working : keep}
      </Button>
      <Button variant="quiet" onPress={form.test} isPending={testing}>
        {testing ? w.testing : w.test}
      </Button>
      {isBad && (
        <Button variant="quiet" icon={Stethoscope} onPress={form.diagnose}>
          {w.why}
        </Button>
      )}
      {canSaveAnyway && (
        <Button variant="quiet" onPress={form.saveAnyway}>
          {w.saveAnyway}
        </Button>
      )}
      {onCancel && (
        <Button variant="quiet" onPress={onCancel}>
          {words.cancel}
        </Button>
      )}
    </div>
  );
}

/** The result of a test for each service. */
function CheckResult({ check }: { check: ConnectionCheck }) {
  return (
    <Status className="stack gap-1">
      <ul>
        <ServiceResult name={w.dataService} result={check.data} />
        <ServiceResult name={w.platformService} result={check.platform} />
      </ul>
    </Status>
  );
}

function ServiceResult({ name, result }: { name: string; result: ConnectionCheck['data'] }) {
  const Icon = result.ok ? CircleCheck : CircleX;
  return (
    <li className="line">
      <Icon className={result.ok ? 'tone-ok' : 'tone-error'} size={16} aria-hidden />
      <span>
        {name}: {result.ok ? w.works : w.fails}
        <span className="quiet"> · {w.inMs(Math.round(result.ms))}</span>
        {!result.ok && <div>{result.message}</div>}
      </span>
    </li>
  );
}

interface ColorSelectProps {
  readonly value: Connection['color'];
  readonly onChange: (color: Connection['color']) => void;
}

/** The color that distinguishes the connection's window. */
function ColorSelect({ value, onChange }: ColorSelectProps) {
  return (
    <RadioGroup
      className="field"
      orientation="horizontal"
      value={value}
      onChange={(color) => onChange(connectionColor.parse(color))}
    >
      <Label className="field-label">{w.color}</Label>
      <div className="row gap-1">
        {connectionColor.options.map((color) => (
          <Radio
            key={color}
            value={color}
            className="color hoverable round center"
            aria-label={w.colors[color]}
          >
            <span className="dot dot-large" data-color={color} />
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}

interface KeychainOptionProps {
  readonly remember: boolean;
  readonly onChange: (remember: boolean) => void;
}

/** Whether credentials are stored in the keychain; if the keychain is unavailable, what to do. */
function KeychainOption({ remember, onChange }: KeychainOptionProps) {
  const trouble = useAppState('connections', (state) => state.keychain);
  const { lookAtKeychain } = useApp().connections.actions;
  useEffect(() => void lookAtKeychain(), [lookAtKeychain]);
  return (
    <>
      <CheckBox
        label={w.remember}
        checked={remember && trouble === null}
        onChange={onChange}
        isDisabled={trouble !== null}
        {...(trouble === null ? { note: w.rememberNote } : {})}
      />
      {trouble !== null && (
        <Alert tone="warning">
          {w.noKeychain} {describeKeychain(trouble)}
        </Alert>
      )}
    </>
  );
}

interface AdvancedSectionProps {
  /** Whether it has values already, so that it starts expanded. */
  readonly isUsed: boolean;
  /** Whether a field in it has a problem, which must be visible. */
  readonly hasProblem: boolean;
  readonly children: ReactNode;
}

/** What few connections need. It stays expanded while its fields change. */
function AdvancedSection({ isUsed, hasProblem, children }: AdvancedSectionProps) {
  const [isOpen, setOpen] = useState(isUsed);
  if (hasProblem && !isOpen) setOpen(true);
  return (
    <details
      className="connection-advanced"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="bold row gap-1">
        <ChevronRight size={14} aria-hidden />
        {w.advanced}
      </summary>
      <div className="connection-advanced-fields stack gap-3">{children}</div>
    </details>
  );
}
