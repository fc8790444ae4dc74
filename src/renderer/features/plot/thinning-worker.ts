import { ownPort, serve } from '../../../shared/threads.ts';
import { createPlotHost } from './thinning.ts';

serve(ownPort(), createPlotHost());
