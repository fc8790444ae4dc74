import { ArrowUpDown, CircleCheck, CircleX, Stethoscope, ChevronRight, FileKey2, X } from 'lucide-react';
import { Form } from '../../ui/form.tsx';
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
import { useEffect, type ReactNode, useState, useId } from 'react';
import { describeKeychain } from '../../../shared/errors/sentences.ts';
import { useApp, useAppState } from '../../contexts.ts';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import {
  visibleLine,
  type AppError,
  type ErrorCode,
  type ErrorDetails,
} from '../../../shared/errors/errors.ts';
import { handOverFile } from '../../api/files.ts';
import { useTask } from '../../state/latest-task.ts';
import { issuesOf, problemsByField } from '../../state/problems.ts';
import { useForm, type FormFields } from '../../state/use-form.ts';

function useConnectionForm(connection: Connection | undefined) {
  const { add, change, test } = useApp().connections.actions;
  const diagnostics = useApp().diagnostics.actions;
  const place = connection?.id ?? 'new';
  // Another window may change it meanwhile: only what differs from here on is a change of this form.
  const [before] = useState(connection);
  const form = useForm<DraftInputs, ConnectionOrDraft, DraftField, ConnectionCheck | null>({
    initial: () => (before ? connectionInputs(before) : emptyDraft),
    check: (inputs) => diagnosticsSubject(before, inputs, words.connection.secretNeeded),
    issuesIn: (error, { method }) => fieldProblems(error, method),
    keepsProblems: true,
  });
  const { inputs, failure, action } = form;
  async function keep(subject: ConnectionOrDraft, signal: AbortSignal): Promise<null> {
    if ('draft' in subject) await add(subject.draft, signal);
    else if ('change' in subject) await change(subject.change, signal);
    diagnostics.closeFor(place);
    return null;
  }
  return {
    ...form,
    place,
    isKeeping: form.isRunning && action !== 'test',
    isTesting: form.isRunning && action === 'test',
    /** Whether the connection can be saved although a service rejected the credentials or did not respond. */
    canSaveAnyway: failure !== null && action !== 'test' && canSave(failure, inputs.method),
    isSwapped: failure?.is('addresses_swapped') || form.result?.data.code === 'addresses_swapped',
    swap: () => form.set({ dataUrl: inputs.platformUrl, platformUrl: inputs.dataUrl }),
    keep: () => form.run('keep', keep),
    saveAnyway: () => form.run('keep', (subject, signal) => keep(allowUntested(subject), signal)),
    test: () => form.run('test', test),
    /** The failed action stays visible, with its suggested fixes. */
    diagnose(): void {
      const subject = form.checked();
      if (subject) void diagnostics.start({ id: place, name: inputs.name.trim(), subject });
    },
  };
}

const allowUntested = (subject: ConnectionOrDraft): ConnectionOrDraft => {
  if ('draft' in subject) return { draft: { ...subject.draft, saveAnyway: true } };
  return 'change' in subject ? { change: { ...subject.change, saveAnyway: true } } : subject;
};

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
  error: AppError,
  method: Connection['method'],
): ReturnType<typeof problemsByField<DraftField>> {
  const field = error.is('file_unsuitable') ? fileFieldOf(error.details) : undefined;
  if (field) return { problems: { [field]: { message: error.message } }, otherIssues: [] };
  return problemsByField(issuesOf(error), (path) => draftField(path, method));
}

type DraftForm = FormFields<DraftInputs, DraftField>;

interface ProxyFieldsProps {
  readonly form: DraftForm;
  /** The user whose password is stored; undefined: none. */
  readonly storedUser: string | undefined;
}

function ProxyFields({ form: { inputs, field }, storedUser }: ProxyFieldsProps) {
  const { proxyAddress, proxyUser } = inputs;
  const isKept = storedUser !== undefined && storedUser === proxyUser.trim();
  return (
    <>
      <TextField
        {...field('proxyAddress')}
        label={w.proxyAddress}
        placeholder={w.proxyAddressPlaceholder}
        inputMode="url"
        note={w.proxyNote}
      />
      {proxyAddress.trim() !== '' && (
        <>
          <TextField {...field('proxyUser')} label={w.proxyUser} note={w.proxyUserNote} />
          <TextField
            {...field('proxyPassword')}
            label={w.proxyPassword}
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
  readonly form: DraftForm;
  /** The connection's current certificates. */
  readonly authorities: Connection['authorities'];
}

function CaFileField({ form, authorities = [] }: CaFileFieldProps) {
  const selection = form.inputs.caFile;
  const kept = authorities.map(({ name, ends }) => w.caEnds(name, ends.slice(0, 10)));
  return (
    <FileField
      words={w.ca}
      types={authorityTypes}
      lines={
        selection.kind === 'file' ? [visibleLine(selection.file.name)] : selection.kind === 'kept' ? kept : []
      }
      onChange={(caFile) => form.set({ caFile })}
      onRemove={() => form.set({ caFile: { kind: 'none' } })}
      problem={form.problem('caFile')}
    />
  );
}

interface ClientCertificateFieldsProps {
  readonly form: DraftForm;
  /** Absent: a new connection. */
  readonly connection: Connection | undefined;
}

/** The certificate that a gateway requires; its key and its passphrase only if there is one. */
function ClientCertificateFields({ form, connection }: ClientCertificateFieldsProps) {
  const { problem, field, set } = form;
  const { clientCertificate, clientKey } = form.inputs;
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
        onChange={(selected) => set({ clientCertificate: selected, clientKey: { kind: 'none' } })}
        onRemove={() => set({ clientCertificate: { kind: 'none' }, ...withoutKey })}
        problem={problem('clientCertificate')}
      />
      {name !== undefined && (needsKeyFile(name) || problem('clientKey') !== undefined) && (
        <FileField
          words={w.clientKey}
          types={keyTypes}
          lines={linesOf(keyName)}
          onChange={(selected) => set({ clientKey: selected })}
          onRemove={
            clientKey.kind === 'file'
              ? () => set({ clientKey: { kind: isKept ? 'kept' : 'none' } })
              : undefined
          }
          problem={problem('clientKey')}
        />
      )}
      {name !== undefined && (
        <TextField
          {...field('passphrase')}
          label={w.passphrase}
          type="password"
          note={isKept ? w.passphraseKept : w.passphraseNote}
        />
      )}
    </>
  );
}

const w = words.connection;

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

export function ConnectionForm({ connection, onCancel }: ConnectionFormProps) {
  const form = useConnectionForm(connection);
  const { inputs, set, problem, error, result: check } = form;
  const field = (name: 'name' | 'dataUrl' | 'platformUrl') => ({
    ...form.field(name),
    label: w[name],
    placeholder: w[`${name}Placeholder`],
  });
  return (
    <>
      <Form
        correction={form.correction}
        className="connection-form above-1 stack gap-3"
        {...(connection ? { 'aria-label': w.editing(connection.name) } : {})}
        onSubmit={form.keep}
      >
        <TextField {...field('name')} />
        <TextField {...field('dataUrl')} inputMode="url" />
        <TextField {...field('platformUrl')} inputMode="url" />
        <SecretFields
          form={form}
          hasStoredSecret={connection?.method === inputs.method && connection.secret !== 'missing'}
        />
        {!connection && (
          <KeychainOption remember={inputs.remember} onChange={(remember) => set({ remember })} />
        )}
        <AdvancedSection
          isUsed={hasAdvanced(inputs, connection)}
          hasProblem={advancedFields.some((name) => problem(name) !== undefined)}
        >
          <CheckBox
            label={w.readOnlyBox}
            checked={inputs.readOnly}
            onChange={(readOnly) => set({ readOnly })}
          />
          <ColorSelect value={inputs.color} onChange={(color) => set({ color })} />
          <CaFileField form={form} authorities={connection?.authorities} />
          <ClientCertificateFields form={form} connection={connection} />
          <ProxyFields
            form={form}
            storedUser={
              connection?.proxy?.address === inputs.proxyAddress ? connection.proxy.user : undefined
            }
          />
        </AdvancedSection>
        {check && <CheckResult check={check} />}
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
  const { result: check, error, isKeeping, isTesting, canSaveAnyway, isSwapped } = form;
  const isBad = error !== null || (check !== null && !(check.data.ok && check.platform.ok));
  const [keep, working] = isNew ? [w.connect, w.connecting] : [w.save, w.saving];
  return (
    <div className="row wrap">
      {isSwapped && (
        <Button icon={ArrowUpDown} variant="primary" onPress={form.swap}>
          {w.swap}
        </Button>
      )}
      <Button type="submit" variant="primary" isPending={isKeeping}>
        {isKeeping ? working : keep}
      </Button>
      <Button variant="quiet" onPress={form.test} isPending={isTesting}>
        {isTesting ? w.testing : w.test}
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
