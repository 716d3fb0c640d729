// One script file.
export { DeleteAccount } from './DeleteAccount.tsx';
export { EmailForm } from './email/EmailForm.tsx';
export { NameForm } from './NameForm.tsx';
export { PasswordForm } from './password/PasswordForm.tsx';
export { SignInMethods } from './second-factor/SignInMethods.tsx';
export { SignInList } from './sign-in/SignInList.tsx';
