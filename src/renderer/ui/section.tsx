import type { ReactNode } from 'react';

interface SectionProps {
  readonly heading: string;
  readonly level?: 2 | 3;
  readonly className?: string;
  readonly children?: ReactNode;
}

/** A part of a view below its heading, which is its name for screen readers too. */
export function Section({ heading, level = 2, className, children }: SectionProps) {
  const Heading = `h${level}` as const;
  return (
    <section className={className} aria-label={heading}>
      <Heading>{heading}</Heading>
      {children}
    </section>
  );
}
