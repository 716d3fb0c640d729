-- A refund that the provider took back returns its order to the state before it.
CREATE OR REPLACE FUNCTION guard_order_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = OLD.status THEN
    RETURN NEW;
  END IF;
  IF NOT (CASE OLD.status
    WHEN 'pending' THEN NEW.status IN ('processing', 'completed', 'failed', 'expired')
    WHEN 'processing' THEN NEW.status IN ('completed', 'failed', 'expired')
    WHEN 'failed' THEN NEW.status IN ('completed')
    WHEN 'expired' THEN NEW.status IN ('completed')
    WHEN 'completed' THEN NEW.status IN ('partially_refunded', 'refunded', 'disputed')
    WHEN 'partially_refunded' THEN NEW.status IN ('completed', 'refunded', 'disputed')
    WHEN 'refunded' THEN NEW.status IN ('completed', 'partially_refunded') AND NEW.refunded_cents < OLD.refunded_cents
    WHEN 'disputed' THEN NEW.status IN ('completed', 'partially_refunded', 'refunded')
    ELSE false
  END) THEN
    RAISE EXCEPTION 'order % cannot go from % to %', OLD.id, OLD.status, NEW.status USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
