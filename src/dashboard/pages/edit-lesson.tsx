import { useEffect, useState } from 'preact/hooks';
import type { Learning } from '../../wire/routes.ts';
import { useAction } from '../data/action.ts';
import { api } from '../data/api.ts';
import { learningTables } from '../data/learning.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Field, TextArea } from '../ui/field.tsx';
import { Failed } from '../ui/states.tsx';

/**
 * A form in which a person changes the words of a lesson. `onDone` gets the id of the new version, or null.
 */
export function EditLesson({ lesson, onDone }: { lesson: Learning; onDone: (id: string | null) => void }) {
  const [words, setWords] = useState({
    lesson: lesson.lesson,
    context: lesson.context,
    why: lesson.why ?? '',
    appliesTo: lesson.appliesTo.join(', '),
    keywords: lesson.keywords.join(', '),
  });
  const set = (name: keyof typeof words) => (value: string) => setWords({ ...words, [name]: value });
  const save = useAction(learningTables, async () => {
    const { id } = await api('PATCH /v1/learnings/{id}', {
      params: { id: lesson.id },
      body: {
        lesson: words.lesson,
        context: words.context,
        why: words.why.trim() || null,
        appliesTo: listed(words.appliesTo),
        keywords: listed(words.keywords),
      },
    });
    onDone(id);
  });
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && !save.isPending) onDone(null);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [onDone, save.isPending]);
  return (
    <Card title="Edit">
      <form
        class="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <TextArea label="Lesson" rows={5} value={words.lesson} onInput={set('lesson')} />
        <TextArea label="When it applies" rows={2} value={words.context} onInput={set('context')} />
        <TextArea label="Why" rows={2} value={words.why} onInput={set('why')} />
        <Field label="Applies to, with commas between" value={words.appliesTo} onInput={set('appliesTo')} />
        <Field label="Keywords, with commas between" value={words.keywords} onInput={set('keywords')} />
        <p class="text-sm text-muted">
          The version so far stays in its history. Agents are told the new one.
        </p>
        {save.error && <Failed error={save.error} />}
        <div class="flex gap-2">
          <Button look="main" type="submit" busy={save.isPending} disabled={words.lesson.trim() === ''}>
            Save
          </Button>
          <Button disabled={save.isPending} onClick={() => onDone(null)}>
            Cancel
          </Button>
        </div>
      </form>
    </Card>
  );
}

const listed = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  ),
];
