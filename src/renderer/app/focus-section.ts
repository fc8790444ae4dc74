/** Focuses the search of a section. */
export function focusSection(id: string): void {
  document.querySelector<HTMLElement>(`[data-section=${id}] input`)?.focus();
}
