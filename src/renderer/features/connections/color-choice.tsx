import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { connectionColor, type Connection } from '../../../shared/connections/connections.ts';
import { words } from '../../words/words.ts';

interface ColorChoiceProps {
  readonly value: Connection['color'];
  readonly onChange: (color: Connection['color']) => void;
}

/** The colour of a connection, which tells its window from the others. */
export function ColorChoice({ value, onChange }: ColorChoiceProps) {
  return (
    <RadioGroup
      className="field"
      orientation="horizontal"
      value={value}
      onChange={(color) => onChange(connectionColor.parse(color))}
    >
      <Label className="field-label">{words.connection.color}</Label>
      <div className="row gap-1">
        {connectionColor.options.map((color) => (
          <Radio
            key={color}
            value={color}
            className="color center"
            aria-label={words.connection.colors[color]}
          >
            <span className="dot" data-color={color} />
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
