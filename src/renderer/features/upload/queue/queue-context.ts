import { featureContext } from '../../../state/context.tsx';
import type { UploadQueueActions, UploadQueueState } from './upload-queue.ts';

export const { Provide: ProvideUploadQueue, useState: useUploadQueue } = featureContext<
  UploadQueueState,
  UploadQueueActions
>('upload queue');
