import type { StoreApi } from 'zustand/vanilla';
import { toAppError, type AppError } from '../../../../shared/errors/errors.ts';
import type { GrantedFile } from '../../../../shared/files/files.ts';
import type { Api } from '../../../api/api.ts';
import { latest } from '../../../state/latest.ts';
import { failed, full, idle, loading } from '../../../state/loadable.ts';
import { nullTokens, valueChoices } from '../columns/mapping-choices.ts';
import type { ReadingChoices } from './reading-choices.ts';
import { emptyUpload, fileName, type UploadTabState } from '../upload-state.ts';

/** Brings a file to hand and reads it. */
export interface FileReader {
  /** Takes a file of the page's own: dropped, or picked where the host has no dialog. */
  readonly take: (file: File) => Promise<void>;
  /** Asks by the system's dialog; gives the further files that were chosen. */
  readonly choose: () => Promise<readonly GrantedFile[]>;
  /** Takes a file that main knows already. */
  readonly accept: (file: GrantedFile) => Promise<void>;
  /** Shows how the file begins, then reads all of it. */
  readonly look: () => Promise<void>;
  /** Reads a file that was read before the page was loaded again: what was chosen for it stays. */
  readonly restore: () => Promise<void>;
  /** Reads it anew where other texts stand for no value now; what is known of it stays until then. */
  readonly follow: () => Promise<void>;
  /** Gives up what is under way. */
  readonly cancel: () => void;
  /** Ends what is under way, and says nothing of it. */
  readonly drop: () => void;
}

export interface FileReaderNeeds {
  readonly store: StoreApi<UploadTabState>;
  readonly api: {
    readonly upload: Pick<Api['upload'], 'preview' | 'inspect'>;
    readonly files: Pick<Api['files'], 'chooseSources'>;
  };
  /** Hands a file of the page to main. @throws AppError */
  readonly handOver: (file: File, signal: AbortSignal) => Promise<GrantedFile>;
  /** Another file, or the same read otherwise. */
  readonly onLook: () => void;
  readonly onRead: () => void;
}

export function createFileReader({ store, api, handOver, onLook, onRead }: FileReaderNeeds): FileReader {
  const handing = latest();
  const previewing = latest();
  const inspecting = latest();
  /** The choices for values that the file was read with last. */
  let readWith = '';

  const preview = (reading: ReadingChoices, source: string) =>
    previewing.run((signal) => api.upload.preview({ source, ...reading }, { signal }), {
      done: (value) => store.setState({ preview: full(value) }),
      failed: (error) => store.setState({ preview: failed(error), inspection: idle }),
      cancelled: () => store.setState({ preview: idle }),
    });

  const inspect = (reading: ReadingChoices, source: string, done: () => void) => {
    const values = valueChoices(store.getState().choices);
    readWith = JSON.stringify(values);
    const { keepAsText, exceptionShare } = values;
    const request = {
      source,
      ...reading,
      nulls: nullTokens(values.nulls),
      ...(keepAsText ? { keepAsText: [...keepAsText] } : {}),
      exceptionShare,
    };
    return inspecting.run((signal) => api.upload.inspect(request, { signal }), {
      done(value) {
        store.setState({ inspection: full(value) });
        const { preview: shown } = store.getState();
        // Only the whole file shows that it is not in the encoding that its start let suppose.
        if (shown.face === 'full' && shown.value.encoding !== value.encoding)
          void preview({ ...reading, encoding: value.encoding, footerRows: value.footerRows }, source);
        done();
        void follow();
      },
      failed: (error) => store.setState({ inspection: failed(error) }),
      cancelled: () => store.setState({ inspection: idle }),
    });
  };

  async function follow(): Promise<void> {
    const { file, reading, inspection, choices } = store.getState();
    if (
      file.face !== 'granted' ||
      inspection.face !== 'full' ||
      JSON.stringify(valueChoices(choices)) === readWith
    )
      return;
    await inspect(reading, file.file.token, () => undefined);
  }

  async function read(done: () => void): Promise<void> {
    const { file, reading } = store.getState();
    if (file.face !== 'granted') return;
    store.setState({ preview: loading, lookedAt: null, inspection: idle });
    await preview(reading, file.file.token);
    if (store.getState().preview.face !== 'full') return;
    store.setState({ inspection: loading });
    await inspect(reading, file.file.token, done);
  }

  async function look(): Promise<void> {
    if (store.getState().file.face !== 'granted') return;
    inspecting.drop();
    onLook();
    await read(onRead);
  }

  /**
   * Another file: what was said of the one before is forgotten, the dataset is not. One of the name of a file that is
   * gone takes its place.
   */
  const begin = (file: UploadTabState['file']) =>
    store.setState((now) => {
      const { dataset, reading, choices, existing } = now;
      const isAwaited = now.file.face === 'gone' || now.file.face === 'handing';
      const isSame = isAwaited && fileName(now) === fileName({ file });
      return { ...emptyUpload, dataset, file, ...(isSame ? { reading, choices, existing } : {}) };
    });
  const refuse = (name: string, error: AppError) => begin({ face: 'failed', name, error });
  const accept = (file: GrantedFile): Promise<void> => {
    begin({ face: 'granted', file });
    return look();
  };

  return {
    accept,
    look,
    restore: () => read(() => undefined),
    follow,
    async take(file) {
      begin({ face: 'handing', name: file.name, bytes: file.size });
      await handing.run((signal) => handOver(file, signal), {
        done: (granted) => void accept(granted),
        failed: (error) => refuse(file.name, error),
        cancelled: () => begin({ face: 'none' }),
      });
    },
    async choose() {
      try {
        const [first, ...more] = await api.files.chooseSources({});
        if (first) void accept(first);
        return more;
      } catch (error) {
        refuse('', toAppError(error));
        return [];
      }
    },
    cancel() {
      for (const task of [handing, previewing, inspecting]) task.cancel();
    },
    drop() {
      for (const task of [handing, previewing, inspecting]) task.drop();
    },
  };
}
