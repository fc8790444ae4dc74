import type { Along } from './chart-spec.ts';

/** The width of the axis beside the first track, with its label, in pixels. */
export const trackAxisWidth = ({ show }: Along): number => (show === 'number' ? 68 : 92);
