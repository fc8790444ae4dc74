import { useEffect, useRef, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import './print-page.css';

interface PrintedPageProps {
  /** The name of a file without its ending, which the dialog of the browser proposes. */
  readonly name: string;
  /** Whether the paper is wider than high. */
  readonly isWide?: boolean;
  readonly onPrinted: () => void;
  readonly children: ReactNode;
}

/** A page that only the printer sees, printed once as soon as its pictures are loaded. */
export function PrintedPage({ name, isWide = false, onPrinted, children }: PrintedPageProps) {
  const page = useRef<HTMLElement>(null);
  useEffect(() => {
    const { title } = document;
    let isOpen = true;
    // The browser proposes the title as the name of the file.
    document.title = name;
    window.addEventListener('afterprint', onPrinted);
    const pictures = [...(page.current?.querySelectorAll('img') ?? [])];
    void Promise.allSettled(pictures.map((picture) => picture.decode())).then(() => {
      if (isOpen) window.print();
    });
    return () => {
      isOpen = false;
      window.removeEventListener('afterprint', onPrinted);
      document.title = title;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- one page is printed once
  }, []);
  return createPortal(
    <article ref={page} className={isWide ? 'print-page print-page-wide' : 'print-page'}>
      {children}
    </article>,
    document.body,
  );
}
