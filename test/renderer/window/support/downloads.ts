import { vi } from 'vitest';

/** The page's downloads since this was called. */
export function watchDownloads(): { readonly name: string; readonly content: Blob }[] {
  const files: { name: string; content: Blob }[] = [];
  const blobs = new Map<string, Blob>();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((content) => {
    const address = `blob:${blobs.size}`;
    if (content instanceof Blob) blobs.set(address, content);
    return address;
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    const content = blobs.get(this.href);
    if (content) files.push({ name: this.download, content });
  });
  return files;
}
