<?php
// A call of each kind with the client that openapi-generator makes for PHP.
require '/usr/share/php/GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $file = 'client/lib/' . str_replace(['OpenAPI\\Client\\', '\\'], ['', '/'], $class) . '.php';
    if (is_file($file)) {
        require_once $file;
    }
});
// All of it is loaded, so all of it compiles.
foreach (glob('client/lib/{,*/}*.php', GLOB_BRACE) as $file) {
    require_once $file;
}

use OpenAPI\Client\Api;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Model;

$run = getenv('RUN');
$configuration = (new OpenAPI\Client\Configuration())->setHost(getenv('BASE_URL'))->setAccessToken(getenv('SC_API_KEY'));
$patients = new Api\PatientsApi(config: $configuration);

$first = $patients->patientsList(limit: 2);
$second = $patients->patientsList(limit: 2, cursor: $first->getNextCursor());
$id = $first->getData()[0]->getId();
assert(count($second->getData()) === 2 && $second->getData()[0]->getId() !== $id);
echo "pages\n";

$patient = $patients->patientsGet($id)->getData();
assert($patient->getId() === $id && $patient->getGender() === 'added_later');
echo "read\n";

$attribution = ['utm_source' => 'php', 'clicks' => 3];
$request = new Model\LeadRequest([
    'first_name' => 'Dana',
    'phone' => '052-765-4330',
    'source' => Model\LeadSource::SOCIAL,
    'external_id' => $run,
    'attribution' => $attribution,
]);
$lead = (new Api\LeadsApi(config: $configuration))->leadsCreate($request)->getData();
assert($lead->getSource() === Model\LeadSource::SOCIAL && $lead->getAttribution() == $attribution && $lead->getStatus() === 'added_later');
echo "lead\n";

$catalog = new Api\CatalogApi(config: $configuration);
$account = $catalog->catalogBillingAccountsList()->getData()[0];
$payments = new Api\PaymentsApi(config: $configuration);
$cash = ['amount' => 123456.78, 'method_type' => 'cash', 'billing_account_id' => $account->getId()];
$pay = fn() => $payments->paymentsCreate($id, new Model\PaymentsCreateRequest($cash), $run)->getData();
$payment = $pay();
assert($payment->getAmount() === 123456.78 && $pay()->getId() === $payment->getId());
echo "payment\n";

$webhooks = new Api\WebhooksApi(config: $configuration);
$types = [Model\EventType::PATIENT_CREATED];
$subscription = new Model\WebhookRequest(['url' => 'https://crm.example.com/hooks', 'event_types' => $types]);
$webhook = $webhooks->webhooksCreate($subscription)->getData();
assert($webhook->getEventTypes() === $types);
$webhooks->webhooksDelete($webhook->getId());
try {
    $webhooks->webhooksGet($webhook->getId());
    assert(false);
} catch (ApiException $problem) {
    assert($problem->getCode() === 404);
}
echo "webhook\n";

$between = fn(string ...$days) => new Model\QueryFilter([
    'field' => 'effective_date',
    'op' => Model\Operator::BETWEEN,
    'value' => $days,
]);
$analytics = new Api\AnalyticsApi(config: $configuration);
$query = new Model\Query([
    'dataset' => Model\DatasetName::TREATMENTS,
    'measures' => ['treatment_count'],
    'dimensions' => [new Model\TimeDimension(['field' => 'effective_date', 'grain' => Model\Grain::MONTH])],
    'filters' => [$between('2020-01-01', date('Y-m-d'))],
]);
$result = $analytics->queryRun($query)->getData();
assert(count($result->getRows()) > 1);
assert(array_sum(array_column($result->getRows(), 'treatment_count')) === $result->getTotals()['treatment_count']);
$query = new Model\Query([
    'dataset' => Model\DatasetName::PRODUCTION,
    'measures' => ['avg_net_price'],
    'filters' => [$between('1990-01-01', '1990-01-02')],
]);
assert($analytics->queryRun($query)->getData()->getTotals() === ['avg_net_price' => null]);
echo "query\n";

$visit = (new Api\AppointmentsApi(config: $configuration))->appointmentsList(limit: 2)->getData()[0];
assert(is_bool($catalog->catalogAppointmentStatusesList()->getData()[0]->getEnabled()));
assert($visit->getType()->getDurationMinutes() > 0 && $visit->getStatus()->getColor() && $visit->getBranch()->getName());
echo "parts\n";

assert(in_array('rooms:read', (new Api\IdentityApi(config: $configuration))->meGet()->getData()->getScopes(), true));
$feed = $webhooks->eventsList(limit: 1)->getData();
assert(end($feed)->getType() === 'room.opened');
echo "additions\n";
