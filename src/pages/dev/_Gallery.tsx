import { BookOpen, Copy, Ellipsis, Inbox, Pencil, Plus, Search, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { Card } from '#src/components/Card.tsx';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { EmptyState } from '#src/components/EmptyState.tsx';
import { ErrorState } from '#src/components/ErrorState.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import {
  Menu,
  MenuCheckboxItem,
  MenuItem,
  MenuLabel,
  MenuSeparator,
  MenuSub,
} from '#src/components/Menu.tsx';
import { PasswordInput } from '#src/components/PasswordInput.tsx';
import { ProgressBar } from '#src/components/ProgressBar.tsx';
import { RadioGroup } from '#src/components/RadioGroup.tsx';
import { Select } from '#src/components/Select.tsx';
import { Skeleton } from '#src/components/Skeleton.tsx';
import { Spinner } from '#src/components/Spinner.tsx';
import { Tabs } from '#src/components/Tabs.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { toast } from '#src/components/toast.store.ts';

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="border-t border-line py-10" aria-label={name}>
      <h2 className="text-heading">{name}</h2>
      <div className="mt-6">{children}</div>
    </section>
  );
}

const levels = [
  { value: 'beginner', label: 'Beginner' },
  { value: 'intermediate', label: 'Intermediate' },
  { value: 'advanced', label: 'Advanced' },
  { value: 'archived', label: 'Archived', disabled: true },
];

const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Every React primitive in every state. */
export function Gallery() {
  return (
    <>
      <ButtonsPart />
      <FieldsPart />
      <NoticesAndStatesPart />
      <ProgressAndLoadingPart />
      <CardsPart />
      <TabsPart />
      <OverlaysPart />
      <NotificationsPart />
    </>
  );
}

function ButtonsPart() {
  const [loading, setLoading] = useState(false);
  return (
    <Part name="Buttons">
      <div className="flex flex-wrap items-center gap-3">
        <Button>Primary</Button>
        <Button variant="secondary">Secondary</Button>
        <Button variant="ghost">Ghost</Button>
        <Button variant="danger">Danger</Button>
        <Button variant="link">Link</Button>
        <Button href="#buttons" variant="secondary">
          As a link
        </Button>
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button size="sm">Small</Button>
        <Button size="md">
          <Plus aria-hidden="true" /> With icon
        </Button>
        <Button size="lg">Large</Button>
        <Button size="icon" variant="secondary" aria-label="Search">
          <Search aria-hidden="true" />
        </Button>
        <Button size="icon-sm" variant="ghost" aria-label="More">
          <Ellipsis aria-hidden="true" />
        </Button>
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button disabled>Disabled</Button>
        <Button variant="secondary" disabled>
          Disabled
        </Button>
        <Button
          loading={loading}
          onClick={() => {
            setLoading(true);
            void sleep(3000).then(() => setLoading(false));
          }}
        >
          Work for three seconds
        </Button>
        <Button loading>Saving changes</Button>
        <Button loading variant="secondary">
          Saving changes
        </Button>
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-3 rounded-lg on-navy p-5">
        <Button variant="inverse">Inverse</Button>
        <Button variant="inverse" disabled>
          Disabled
        </Button>
      </div>
    </Part>
  );
}

function FieldsPart() {
  return (
    <Part name="Fields">
      <div className="grid gap-x-10 gap-y-6 md:grid-cols-2">
        <Field label="Email" required hint="We send your receipt here.">
          <Input type="email" name="email" autoComplete="email" placeholder="you@company.com" />
        </Field>
        <Field label="Email" error="Please enter a valid email address" required>
          <Input type="email" defaultValue="ada@" />
        </Field>
        <Field
          label="Password"
          aside={
            <a href="#fields" className="text-link">
              Forgot your password?
            </a>
          }
        >
          <PasswordInput name="password" defaultValue="not a real one" />
        </Field>
        <Field label="Confirm password" error="Passwords don't match">
          <PasswordInput autoComplete="new-password" defaultValue="another" />
        </Field>
        <Field label="Level" hint="Who the course is written for.">
          <Select options={levels} defaultValue="beginner" name="level" />
        </Field>
        <Field label="Category" error="Choose a category">
          <Select options={levels} name="category" />
        </Field>
        <Field label="Disabled">
          <Input disabled defaultValue="Cannot be changed here" />
        </Field>
        <Field label="Read only">
          <Input readOnly defaultValue="ada@example.com" />
        </Field>
        <Field label="Message" optional className="md:col-span-2">
          <Textarea rows={4} name="message" />
        </Field>
        <div className="space-y-4">
          <Checkbox label="Send me a mail when a lesson is added" defaultChecked name="mail" />
          <Checkbox label="Select all" checked="indeterminate" />
          <Checkbox label="Not available" disabled />
          <Checkbox label="I agree to the Terms of Service" error="Please agree before you continue" />
        </div>
        <RadioGroup
          label="Account type"
          name="role"
          defaultValue="student"
          options={[
            { value: 'student', label: 'Student', hint: 'Buy and study courses.' },
            {
              value: 'admin',
              label: 'Administrator',
              hint: 'An existing administrator has to approve this.',
            },
            { value: 'none', label: 'Not offered', disabled: true },
          ]}
        />
      </div>
    </Part>
  );
}

function NoticesAndStatesPart() {
  return (
    <Part name="Notices and states">
      <div className="grid gap-4 md:grid-cols-2">
        <Alert title="Test mode: no card is charged">
          Use one of the test card numbers shown in the form.
        </Alert>
        <Alert tone="success" title="Secure Payment Processing">
          Card details are never stored on our servers.
        </Alert>
        <Alert tone="warning" title="The price has changed">
          The total was recalculated. Please look at it again.
        </Alert>
        <Alert tone="danger" title="Payment Failed">
          Your payment method was declined. Please try a different card.
        </Alert>
        <Alert tone="neutral">A notice without a title.</Alert>
      </div>
      <div className="mt-6 flex flex-wrap gap-2">
        <Badge>Beginner</Badge>
        <Badge tone="accent">Enrolled</Badge>
        <Badge tone="success">Completed</Badge>
        <Badge tone="warning">Pending</Badge>
        <Badge tone="danger">40% off</Badge>
        <Badge tone="info">
          <BookOpen aria-hidden="true" /> 12 lessons
        </Badge>
      </div>
      <div className="mt-8 grid gap-4 md:grid-cols-2">
        <Card pad="none">
          <EmptyState
            title="Your cart is empty"
            icon={<Inbox />}
            level={3}
            actions={<Button href="/courses">Browse courses</Button>}
            className="[--ground:var(--color-surface)]"
          >
            Courses you add wait here until you check out.
          </EmptyState>
        </Card>
        <Card pad="none">
          <ErrorState level={3} onRetry={() => toast({ title: 'Trying again' })} requestId="req_7Q2M">
            The server did not answer in time.
          </ErrorState>
        </Card>
      </div>
    </Part>
  );
}

function ProgressAndLoadingPart() {
  return (
    <Part name="Progress and loading">
      <div className="grid items-start gap-8 md:grid-cols-3">
        <div className="space-y-5">
          <ProgressBar value={0} label="Not started" />
          <ProgressBar value={42.9} label="Course progress" size="md" />
          <ProgressBar value={100} label="Completed" />
        </div>
        <div className="space-y-4">
          <Spinner label="Preparing secure payment..." showLabel />
          <div className="text-heading text-accent">
            <Spinner />
          </div>
        </div>
        <Card pad="none" className="overflow-hidden" aria-busy="true">
          <Skeleton className="h-36 rounded-none" />
          <div className="space-y-3 p-5">
            <Skeleton className="h-5 w-3/4" />
            <Skeleton className="h-4 w-full" />
            <Skeleton className="h-4 w-1/2" />
          </div>
        </Card>
      </div>
    </Part>
  );
}

function CardsPart() {
  return (
    <Part name="Cards">
      <div className="grid gap-5 md:grid-cols-3">
        <Card>
          <h3 className="text-subheading">Plain</h3>
          <p className="mt-2 text-ink-soft">A bounded surface for one thing.</p>
        </Card>
        <Card tone="sunken">
          <h3 className="text-subheading">Sunken</h3>
          <p className="mt-2 text-ink-soft">For what stands aside.</p>
        </Card>
        <Card interactive>
          <h3 className="text-subheading">
            <a href="#cards" className="rounded-lg after:absolute after:inset-0 after:rounded-lg">
              Interactive
            </a>
          </h3>
          <p className="mt-2 text-ink-soft">The whole card is the link.</p>
        </Card>
      </div>
    </Part>
  );
}

function TabsPart() {
  return (
    <Part name="Tabs">
      <Tabs
        label="Course"
        tabs={[
          { value: 'overview', label: 'Overview', content: <p>What the course is about.</p> },
          { value: 'curriculum', label: 'Curriculum', content: <p>The lessons, in order.</p> },
          { value: 'about', label: 'About', content: <p>Who made it.</p> },
          { value: 'off', label: 'Disabled', content: null, disabled: true },
        ]}
      />
    </Part>
  );
}

function OverlaysPart() {
  const [columns, setColumns] = useState(true);
  return (
    <Part name="Overlays">
      <div className="flex flex-wrap gap-3">
        <Dialog
          trigger={<Button variant="secondary">Dialog</Button>}
          title="Edit course"
          description="Buyers see the change at once."
          footer={<Button type="submit">Save course</Button>}
        >
          <div className="space-y-5">
            <Field label="Title" required>
              <Input defaultValue="Practical SQL" />
            </Field>
            <Field label="Level">
              <Select options={levels} defaultValue="advanced" />
            </Field>
            <Field label="Description">
              <Textarea rows={8} />
            </Field>
          </div>
        </Dialog>
        <AlertDialog
          trigger={<Button variant="secondary">Confirmation</Button>}
          title="Are you sure you want to delete this course?"
          description="It has no buyers, so it is removed for good."
          confirmLabel="Delete course"
          destructive
          onConfirm={() => sleep(1200)}
        />
        <Menu
          trigger={
            <Button variant="secondary">
              Menu <Ellipsis aria-hidden="true" />
            </Button>
          }
          align="start"
        >
          <MenuLabel>Practical SQL</MenuLabel>
          <MenuSeparator />
          <MenuItem icon={<Pencil aria-hidden="true" />} onSelect={() => toast({ title: 'Edit' })}>
            Edit
          </MenuItem>
          <MenuItem icon={<Copy aria-hidden="true" />} disabled>
            Copy shareable link
          </MenuItem>
          <MenuCheckboxItem checked={columns} onCheckedChange={setColumns}>
            Show prices
          </MenuCheckboxItem>
          <MenuSub label="Move to">
            <MenuItem onSelect={() => toast({ title: 'Moved' })}>Programming</MenuItem>
            <MenuItem onSelect={() => toast({ title: 'Moved' })}>Business</MenuItem>
          </MenuSub>
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 aria-hidden="true" />} onSelect={() => toast({ title: 'Deleted' })}>
            Delete
          </MenuItem>
        </Menu>
      </div>
    </Part>
  );
}

function NotificationsPart() {
  return (
    <Part name="Notifications">
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => toast({ title: 'Course added to cart' })}>
          Default
        </Button>
        <Button
          variant="secondary"
          onClick={() =>
            toast({
              title: 'Payment Successful!',
              description: 'Welcome to your new courses! Check your email for confirmation.',
              action: { label: 'Go to dashboard', href: '/dashboard' },
            })
          }
        >
          With action
        </Button>
        <Button
          variant="secondary"
          onClick={() =>
            toast({
              title: 'Payment Failed',
              description: 'Your payment method was declined. Please try a different card.',
              variant: 'destructive',
            })
          }
        >
          Destructive
        </Button>
        <Button
          variant="secondary"
          onClick={() => {
            const upload = toast({ title: 'Uploading', description: '0%' });
            void sleep(1000).then(() => upload.update({ description: '50%' }));
            void sleep(2000).then(() =>
              upload.update({ title: 'Uploaded', description: 'The file is ready.' }),
            );
          }}
        >
          Updated while shown
        </Button>
      </div>
    </Part>
  );
}
